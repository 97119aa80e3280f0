// The functions of an exported model; NAME, SCALE, SHIFT and HELD are filled in.
/// place

/* The number of cuts below x; one cell more for missing values. */
static int NAME_place(const double *cuts, int n, double x) {
  int low = 0, high = n;
  if (x != x) return n + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (x > cuts[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}
/// code

/* The number of a category; n for missing values. */
static int NAME_code(double x, int n) { return x >= 0 && x < n ? (int)x : n; }
/// category

/* The number of a category, given as text in UTF-8; a null pointer is missing. */
double NAME_category(int column, const char *text) {
  if (!text) return NAN;
  switch (column) {
/// rank

/* The rank of an integer that doubles may not hold: a datetime, a timedelta, a wide integer. */
double NAME_rank(int column, long long value) {
  int rank = 0;
  switch (column) {
/// default
  default: return NAN;
  }
}
/// add

/* Adds so much of each value to its score. */
static void NAME_add(double *F, double w, const double *values, int n) {
  int k;
  for (k = 0; k < n; ++k) F[k] += w * values[k];
}
/// has

/* Whether a set holds the category of a number; the last category stands for missing values. */
static int NAME_has(const unsigned char *set, double x, int n) {
  const int code = NAME_code(x, n);
  return set[code / 8] >> (code % 8) & 1;
}
/// means

void NAME_probabilities(const double *x, double *p) { NAME_scores(x, p); }
/// powers

void NAME_probabilities(const double *x, double *p) {
  double whole = 0.0;
  int k;
  NAME_scores(x, p);
  for (k = 0; k < NAME_N_CLASSES; ++k) whole += p[k] = pow(KEPT * p[k] + REST / NAME_N_CLASSES, SCALE);
  for (k = 0; k < NAME_N_CLASSES; ++k) p[k] /= whole;
}
/// each

void NAME_probabilities(const double *x, double *p) {
  double whole = 0.0;
  int k;
  NAME_scores(x, p);
  for (k = 0; k < NAME_N_CLASSES; ++k) whole += p[k] = 1.0 / (1.0 + exp(-SCALE * p[k]));
  for (k = 0; k < NAME_N_CLASSES; ++k) p[k] /= whole;
}
/// sigmoid

void NAME_probabilities(const double *x, double *p) {
  const double F = SCALE * NAME_score(x) + SHIFT;
  const double e = exp(F < 0 ? F : -F);
  const double more = 1.0 / (1.0 + e), less = e / (1.0 + e);
  p[0] = F < 0 ? more : less;
  p[1] = F < 0 ? less : more;
}
/// share

void NAME_probabilities(const double *x, double *p) {
  const double F = NAME_score(x);
  const double G = F < -1.0 ? -1.0 : F > 1.0 ? 1.0 : F;
  p[0] = (1.0 - G) / 2.0;
  p[1] = (1.0 + G) / 2.0;
}
/// softmax

void NAME_probabilities(const double *x, double *p) {
  double top, whole = 0.0;
  int k;
  NAME_scores(x, p);
  for (k = 0; k < NAME_N_CLASSES; ++k) p[k] *= SCALE;
  top = p[0];
  for (k = 1; k < NAME_N_CLASSES; ++k) top = p[k] > top ? p[k] : top;
  for (k = 0; k < NAME_N_CLASSES; ++k) whole += p[k] = exp(p[k] - top);
  for (k = 0; k < NAME_N_CLASSES; ++k) p[k] /= whole;
}
/// sure

void NAME_probabilities(const double *x, double *p) { (void)x; p[0] = 1.0; }
/// first

int NAME_predict(const double *x) { (void)x; return 0; }
/// sign

/* The number of the class among NAME_classes. */
int NAME_predict(const double *x) { return NAME_score(x) > 0; }
/// best

/* The number of the class among NAME_classes. */
int NAME_predict(const double *x) {
  double F[NAME_N_CLASSES];
  int k, best = 0;
  NAME_scores(x, F);
  for (k = 1; k < NAME_N_CLASSES; ++k) if (F[k] > F[best]) best = k;
  return best;
}
/// second

/* The number of the class among NAME_classes. */
int NAME_predict(const double *x) {
  double F[2];
  NAME_scores(x, F);
  return F[1] >= F[0];
}
/// number

double NAME_predict(const double *x) { return NAME_score(x); }
/// power

double NAME_predict(const double *x) {
  const double F = NAME_score(x);
  return exp(F < HELD ? F : HELD);
}
/// powered

void NAME_probabilities(const double *x, double *p) {
  p[0] = exp(x[0] < HELD ? x[0] : HELD);
}
/// mean

double NAME_predict(const double *x) {
  double p;
  NAME_mean(x, &p);
  return p;
}
