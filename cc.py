import subprocess,sys,time,signal
for wait in (0,2):
    p=subprocess.Popen([sys.executable,'-m','weaklearn','lab','--no-browser'],stdout=subprocess.PIPE,stderr=subprocess.PIPE,text=True)
    p.stdout.readline(); time.sleep(wait); t0=time.time(); p.send_signal(signal.SIGINT); p.stderr.readline(); t1=time.time(); p.wait(); print(wait, 'told',round(t1-t0,2),'ended',round(time.time()-t0,2))
t0=time.time(); subprocess.run([sys.executable,'-c','import weaklearn.lab,time,sys; t=time.time(); import atexit; atexit.register(lambda: print("exit begins",time.time()-t))']); print('all',time.time()-t0)
t0=time.time(); subprocess.run([sys.executable,'-c','import sklearn.ensemble,time,sys; t=time.time()\nimport os,atexit; print(t)']); print('sk end',time.time())
