"""Short messages, written for this library: some are spam, some only sound like it."""

from __future__ import annotations

_SPAM = """\
You have won a prize of 5000 pounds! Call now to claim it before midnight
Congratulations, your number was drawn. Reply WIN to collect your reward
Cheap watches, all brands, 80% off this week only. Order today
Lose ten kilos in ten days with our new pills. No diet, no sport
URGENT: your account will be closed. Click here to confirm your password
Make money from home! Earn $900 a week, no experience needed
Free ringtones every day. Text TONE to 80088, stop any time
Your loan is approved. Cash in your account within one hour, no checks
Hot singles in your town want to meet you tonight
Dear friend, I am the widow of a minister and need your help to move 12 million dollars
Last chance! Our sale ends at midnight. Buy one, get two free
You are selected for a free holiday in the sun. Call 0900 now
We noticed unusual activity. Verify your card details at the link below
Best price for pills, discreet delivery, no prescription needed
Win a new phone! Answer one easy question and send it to 60211
Double your bitcoin in 24 hours, guaranteed profit
Claim your refund now: the tax office owes you 342 pounds. Click the link
Work only two hours a day and earn like a manager. Join us
Unlimited calls for 1 pound! Offer valid until Sunday, reply YES
Your parcel is waiting. Pay the small fee of 1.99 to release it
Casino bonus: 200 free spins for new players. Play and win cash
Dear customer, your mailbox is full. Log in here to keep your messages
Guaranteed weight loss or your money back. Try it free for a week
You have been chosen for a secret shopper job. Reply with your bank details
Buy followers now! 10,000 for only $9, instant delivery
Replica bags and shoes, perfect quality, lowest price on the web
Final notice: you have an unclaimed reward of 1000 euro
Increase your credit score today. Call our experts, the first month is free
Want a cheaper mortgage? Apply now, approved in minutes
Act now! Only 3 left at this price!!!
Your computer has a virus. Call our support line at once
Click here to see who viewed your profile
Exclusive offer for you: a luxury cruise at half price, book today
Earn cash for every survey. Sign up free and start now
Your subscription expires today. Update your payment to avoid a charge
Win big tonight! Free bets worth 50 pounds for new members
Miracle cream removes wrinkles in one night, doctors hate it
Send this code to claim your voucher: 500 pounds at the supermarket
No fee, no risk: we recover your lost money. Call now
Investment secret of the rich, guaranteed 20% a month
Congratulations! You are our millionth visitor. Claim your prize here
Get your degree without exams. Approved by employers, order now
You owe unpaid toll charges. Pay now at the link to avoid a fine
Meet lovely girls online, free registration, click now
Limited offer: solar panels free of charge, apply before Friday
We tried to deliver your package. Confirm your address and card here
Reply STOP to end. This week: 2 for 1 on all ringtones and games
Refinance now, lowest rates guaranteed, no credit check
Your cousin is stranded abroad, please send money by gift card
Amazing profits with our trading robot. Deposit 250 and watch it grow
FREE entry to our weekly draw for a car. Text CAR to 81010
Dear winner, the lottery board has released your payment
Your bank card is blocked! Unlock it here with your PIN
Natural pills for men, order today and get one pack free
Earn $$$ with your phone. No skills. Start now
Someone sent you a secret message. Click to open it
Save 70% on ink and toner, free delivery on every order
Cheap flights! Claim your voucher before it expires tonight
Your insurance quote is ready. Call free and save 300 pounds
We buy any car for cash, best price guaranteed, call today
Attention: you qualify for debt relief. Reply YES for a free call
Be your own boss! Limited places, register now
A gift card worth 1000 is reserved in your name. Claim now
Your invoice is overdue. Open the attached file to avoid charges
Lonely? Chat live with new friends tonight, first minutes free
Get rid of hair loss for ever. Clinically tested, order now
Hello dear, I found your profile and want to invest in your country
Your video was shared 900 times, log in to see it
Buy now and pay nothing until next year!
Stock tip of the day: this share will triple, buy before noon
Free sample of our diet tea, just pay the postage
Confirm your email within 24 hours or your account will be deleted
Win tickets to the final. Text GOAL to 60600, 1.50 per message
You have 1 new voicemail. Click the link to listen
Special price for our best customers: 90% off, today only
Online doctors, cheap tablets, fast and discreet delivery
Become rich with real estate. Free seminar, seats are limited
Your relative left you 4 million. Contact my chamber urgently
Activate your bonus now, credit is waiting in your casino account
Hi, lost my phone, this is my new number. Can you pay a bill for me today
"""

_HAM = """\
Are we still on for lunch at noon? I booked the small table
Can you pick up milk and bread on your way home
The meeting moved to Thursday at ten. Same room
Happy birthday! Hope you have a lovely day with the kids
I missed my train. Will be there in twenty minutes
Here are the notes from Monday. Please add what I forgot
Thanks for dinner last night. The soup was wonderful
Mum asks whether you want to come on Sunday
Could you send me the latest draft before the weekend
The kids are asleep, call me when you can
My flight lands at six. No need to pick me up
Did you see the game? What a finish
I left my umbrella at your place. Keep it until Friday
The doctor says it is only a cold. Nothing to worry about
Please review my changes when you have a minute
Rehearsal is at seven tonight. Bring your own music
We won! Three to one, and Tom scored twice
Free on Saturday? We could walk up to the lake
The plumber comes tomorrow between eight and ten
Sorry I did not call back. The day was full of meetings
Your parcel is with me. The postman left it here
Shall we take the early train or the one after lunch
Grandma is home from hospital and feeling better
I will be late. Start without me
Can you check the numbers in the second table? They look off
The password for the guest network is on the fridge
Bring cash to the market. They take no cards
Who feeds the cat while we are away
See you at the station, platform two
Good luck with your exam tomorrow. You will be fine
The report is done. I put it into the shared folder
Let us meet at the library after class
The car needs new brakes. They want 300 for it
Do you have the number of that good dentist
I am at the shop. Do we need eggs
Class is cancelled today, the teacher is ill
We are out of coffee again. Your turn to buy
Thank you for the flowers. They are beautiful
Could we talk about the budget on Wednesday
Running late. Traffic is terrible, order for me please
The landlord will fix the window next week
Your prize for finishing the chores is in the fridge
Practice is moved to the small hall this week
I paid the electricity bill. We are even now
The bank is closed on Monday, remember to go today
Which colour do you like for the kitchen
I finished the book you gave me. It was very good
Do not forget the parents' evening on Tuesday
The new neighbours seem nice. They have two dogs
My phone was dead. Sorry, what did you ask
Lovely photos from the wedding. Please send me the one of us
Can I borrow your ladder on Saturday morning
The train was cancelled, so I am taking the bus
We need one more player for tonight. Are you in
The cake recipe says two eggs. But three work better
I think I left my keys at the office. Could you look
Dad wants to know if your account of the trip is written yet
The vet says the cat can come home tomorrow
Dinner is in the oven. Be home by seven
Your talk went really well, people are still asking about it
I have two tickets for the concert. Do you want to come
How did the interview go? Tell me everything
The school trip costs twelve pounds. Cash by Friday please
Let me know when you get home safely
The draft of the contract is attached. See page four
Could you water the plants while we are in Spain
I changed the order of the chapters. Tell me what you think
We are meeting at the old bridge at nine
The heating is broken again, bring a jumper
Is it still raining where you are
Please sign the card for Anna before she comes in
I will be working from home tomorrow
The museum is free on Sundays. Shall we go
He said yes! We are getting married in June
Can you explain the second question of the homework
The new bike lane makes my way to work much shorter
Sorry for the noise last night. The party went on too long
Your book is due at the library on the third
Tickets for the play are cheap on Mondays. Want to go
I sent the money for the gift. Tell me if it arrived
The minutes of the meeting are ready, comments by Friday
Where did we park? I am on the third floor
Take your time. We will wait at the cafe
The baby slept through the night for the first time
Could you call the garage and ask when it is ready
I will bring salad and bread. You do the drinks
It is snowing here. The children are thrilled
The exam results come out on Thursday morning
Nice to see you yesterday. Let us do it again soon
Your brother called, he has a new number
We should leave by eight to miss the traffic
I fixed the bug. Tests pass now, please have a look
The choir needs more tenors. Ask your friends
Is the offer for the sofa still open? We could collect it on Sunday
Please call the office before four. They have a question on your form
I am so tired. Today was all phone calls
Save me a seat, I come straight from work
The garden looks wonderful after the rain
Remember to claim your travel costs before the month ends
What time does the shop close today
"""


def messages() -> tuple[list[str], list[str]]:
    """Short messages with their labels, "ham" or "spam".

    All were made up for this library, 80 spam and 100 ham; some of the ham speaks of prizes, cash
    and free days, as people do.

    >>> texts, labels = messages()
    >>> len(texts), labels.count("spam")
    (180, 80)
    """
    spam, ham = _SPAM.splitlines(), _HAM.splitlines()
    return [*spam, *ham], ["spam"] * len(spam) + ["ham"] * len(ham)
