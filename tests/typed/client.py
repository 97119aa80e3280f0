"""Every public estimator in use, for type checkers; written by ``write.py``."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import weaklearn as wl

Rows = NDArray[np.float64]


def fit_ADTreeClassifier(X: Rows, y: Any) -> None:
    model = wl.ADTreeClassifier()
    assert_type(model, wl.ADTreeClassifier)
    assert_type(model.fit(X, y), wl.ADTreeClassifier)
    model.predict(X)


def fit_AdaBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostClassifier()
    assert_type(model, wl.AdaBoostClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostClassifier)
    model.predict(X)


def fit_AdaBoostLClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostLClassifier()
    assert_type(model, wl.AdaBoostLClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostLClassifier)
    model.predict(X)


def fit_AdaBoostM1Classifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostM1Classifier()
    assert_type(model, wl.AdaBoostM1Classifier)
    assert_type(model.fit(X, y), wl.AdaBoostM1Classifier)
    model.predict(X)


def fit_AdaBoostM2Classifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostM2Classifier()
    assert_type(model, wl.AdaBoostM2Classifier)
    assert_type(model.fit(X, y), wl.AdaBoostM2Classifier)
    model.predict(X)


def fit_AdaBoostMHClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostMHClassifier()
    assert_type(model, wl.AdaBoostMHClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostMHClassifier)
    model.predict(X)


def fit_AdaBoostMOClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostMOClassifier()
    assert_type(model, wl.AdaBoostMOClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostMOClassifier)
    model.predict(X)


def fit_AdaBoostMRClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostMRClassifier()
    assert_type(model, wl.AdaBoostMRClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostMRClassifier)
    model.predict(X)


def fit_AdaBoostRegressor(X: Rows, y: Any) -> None:
    model = wl.AdaBoostRegressor()
    assert_type(model, wl.AdaBoostRegressor)
    assert_type(model.fit(X, y), wl.AdaBoostRegressor)
    model.predict(X)


def fit_AdaBoostStarClassifier(X: Rows, y: Any) -> None:
    model = wl.AdaBoostStarClassifier()
    assert_type(model, wl.AdaBoostStarClassifier)
    assert_type(model.fit(X, y), wl.AdaBoostStarClassifier)
    model.predict(X)


def fit_AdditiveBoostingClassifier(X: Rows, y: Any) -> None:
    model = wl.AdditiveBoostingClassifier()
    assert_type(model, wl.AdditiveBoostingClassifier)
    assert_type(model.fit(X, y), wl.AdditiveBoostingClassifier)
    model.predict(X)


def fit_AdditiveBoostingRegressor(X: Rows, y: Any) -> None:
    model = wl.AdditiveBoostingRegressor()
    assert_type(model, wl.AdditiveBoostingRegressor)
    assert_type(model.fit(X, y), wl.AdditiveBoostingRegressor)
    model.predict(X)


def fit_AllPairsBooster(X: Rows, y: Any) -> None:
    model = wl.AllPairsBooster()
    assert_type(model, wl.AllPairsBooster)
    assert_type(model.fit(X, y), wl.AllPairsBooster)
    model.predict(X)


def fit_AlphaBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.AlphaBoostClassifier()
    assert_type(model, wl.AlphaBoostClassifier)
    assert_type(model.fit(X, y), wl.AlphaBoostClassifier)
    model.predict(X)


def fit_AnyBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.AnyBoostClassifier()
    assert_type(model, wl.AnyBoostClassifier)
    assert_type(model.fit(X, y), wl.AnyBoostClassifier)
    model.predict(X)


def fit_AnyBoostRegressor(X: Rows, y: Any) -> None:
    model = wl.AnyBoostRegressor()
    assert_type(model, wl.AnyBoostRegressor)
    assert_type(model.fit(X, y), wl.AnyBoostRegressor)
    model.predict(X)


def fit_ArcGVClassifier(X: Rows, y: Any) -> None:
    model = wl.ArcGVClassifier()
    assert_type(model, wl.ArcGVClassifier)
    assert_type(model.fit(X, y), wl.ArcGVClassifier)
    model.predict(X)


def fit_AveragedPerceptron(X: Rows, y: Any) -> None:
    model = wl.AveragedPerceptron()
    assert_type(model, wl.AveragedPerceptron)
    assert_type(model.fit(X, y), wl.AveragedPerceptron)
    model.predict(X)


def fit_BaggingClassifier(X: Rows, y: Any) -> None:
    model = wl.BaggingClassifier()
    assert_type(model, wl.BaggingClassifier)
    assert_type(model.fit(X, y), wl.BaggingClassifier)
    model.predict(X)


def fit_BaggingRegressor(X: Rows, y: Any) -> None:
    model = wl.BaggingRegressor()
    assert_type(model, wl.BaggingRegressor)
    assert_type(model.fit(X, y), wl.BaggingRegressor)
    model.predict(X)


def fit_BoosTexterClassifier(X: Rows, y: Any) -> None:
    model = wl.BoosTexterClassifier()
    assert_type(model, wl.BoosTexterClassifier)
    assert_type(model.fit(X, y), wl.BoosTexterClassifier)
    model.predict(X)


def fit_BoostByMajorityClassifier(X: Rows, y: Any) -> None:
    model = wl.BoostByMajorityClassifier()
    assert_type(model, wl.BoostByMajorityClassifier)
    assert_type(model.fit(X, y), wl.BoostByMajorityClassifier)
    model.predict(X)


def fit_BoostReranker(X: Rows, y: Any) -> None:
    model = wl.BoostReranker()
    assert_type(model, wl.BoostReranker)
    assert_type(model.fit(X, y), wl.BoostReranker)
    model.predict(X)


def fit_Boosted(X: Rows, y: Any) -> None:
    model = wl.Boosted()
    assert_type(model, wl.Boosted)
    assert_type(model.fit(X, y), wl.Boosted)
    model.predict(X)


def fit_BrownBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.BrownBoostClassifier()
    assert_type(model, wl.BrownBoostClassifier)
    assert_type(model.fit(X, y), wl.BrownBoostClassifier)
    model.predict(X)


def fit_CallRouter(X: Rows, y: Any) -> None:
    model = wl.CallRouter()
    assert_type(model, wl.CallRouter)
    assert_type(model.fit(X, y), wl.CallRouter)
    model.predict(X)


def fit_CascadeDetector(X: Rows, y: Any) -> None:
    model = wl.CascadeDetector()
    assert_type(model, wl.CascadeDetector)
    assert_type(model.fit(X, y), wl.CascadeDetector)
    model.predict(X)


def fit_CentroidClassifier(X: Rows, y: Any) -> None:
    model = wl.CentroidClassifier()
    assert_type(model, wl.CentroidClassifier)
    assert_type(model.fit(X, y), wl.CentroidClassifier)
    model.predict(X)


def fit_CoordinateBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.CoordinateBoostClassifier()
    assert_type(model, wl.CoordinateBoostClassifier)
    assert_type(model.fit(X, y), wl.CoordinateBoostClassifier)
    model.predict(X)


def fit_DecisionStumpClassifier(X: Rows, y: Any) -> None:
    model = wl.DecisionStumpClassifier()
    assert_type(model, wl.DecisionStumpClassifier)
    assert_type(model.fit(X, y), wl.DecisionStumpClassifier)
    model.predict(X)


def fit_DecisionTreeClassifier(X: Rows, y: Any) -> None:
    model = wl.DecisionTreeClassifier()
    assert_type(model, wl.DecisionTreeClassifier)
    assert_type(model.fit(X, y), wl.DecisionTreeClassifier)
    model.predict(X)


def fit_DecisionTreeRegressor(X: Rows, y: Any) -> None:
    model = wl.DecisionTreeRegressor()
    assert_type(model, wl.DecisionTreeRegressor)
    assert_type(model.fit(X, y), wl.DecisionTreeRegressor)
    model.predict(X)


def fit_DisjunctionClassifier(X: Rows, y: Any) -> None:
    model = wl.DisjunctionClassifier()
    assert_type(model, wl.DisjunctionClassifier)
    assert_type(model.fit(X, y), wl.DisjunctionClassifier)
    model.predict(X)


def fit_ERLPBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.ERLPBoostClassifier()
    assert_type(model, wl.ERLPBoostClassifier)
    assert_type(model.fit(X, y), wl.ERLPBoostClassifier)
    model.predict(X)


def fit_ERMClassifier(X: Rows, y: Any) -> None:
    model = wl.ERMClassifier()
    assert_type(model, wl.ERMClassifier)
    assert_type(model.fit(X, y), wl.ERMClassifier)
    model.predict(X)


def fit_ExtraTreesClassifier(X: Rows, y: Any) -> None:
    model = wl.ExtraTreesClassifier()
    assert_type(model, wl.ExtraTreesClassifier)
    assert_type(model.fit(X, y), wl.ExtraTreesClassifier)
    model.predict(X)


def fit_ExtraTreesRegressor(X: Rows, y: Any) -> None:
    model = wl.ExtraTreesRegressor()
    assert_type(model, wl.ExtraTreesRegressor)
    assert_type(model.fit(X, y), wl.ExtraTreesRegressor)
    model.predict(X)


def fit_FilterBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.FilterBoostClassifier()
    assert_type(model, wl.FilterBoostClassifier)
    assert_type(model.fit(X, y), wl.FilterBoostClassifier)
    model.predict(X)


def fit_GammaMajorityClassifier(X: Rows, y: Any) -> None:
    model = wl.GammaMajorityClassifier()
    assert_type(model, wl.GammaMajorityClassifier)
    assert_type(model.fit(X, y), wl.GammaMajorityClassifier)
    model.predict(X)


def fit_GentleBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.GentleBoostClassifier()
    assert_type(model, wl.GentleBoostClassifier)
    assert_type(model.fit(X, y), wl.GentleBoostClassifier)
    model.predict(X)


def fit_GradientBoostingClassifier(X: Rows, y: Any) -> None:
    model = wl.GradientBoostingClassifier()
    assert_type(model, wl.GradientBoostingClassifier)
    assert_type(model.fit(X, y), wl.GradientBoostingClassifier)
    model.predict(X)


def fit_GradientBoostingRanker(X: Rows, y: Any) -> None:
    model = wl.GradientBoostingRanker()
    assert_type(model, wl.GradientBoostingRanker)
    assert_type(model.fit(X, y), wl.GradientBoostingRanker)
    model.predict(X)


def fit_GradientBoostingRegressor(X: Rows, y: Any) -> None:
    model = wl.GradientBoostingRegressor()
    assert_type(model, wl.GradientBoostingRegressor)
    assert_type(model.fit(X, y), wl.GradientBoostingRegressor)
    model.predict(X)


def fit_HalvingClassifier(X: Rows, y: Any) -> None:
    model = wl.HalvingClassifier()
    assert_type(model, wl.HalvingClassifier)
    assert_type(model.fit(X, y), wl.HalvingClassifier)
    model.predict(X)


def fit_Hedge(X: Rows, y: Any) -> None:
    model = wl.Hedge()
    assert_type(model, wl.Hedge)
    assert_type(model.fit(X, y), wl.Hedge)
    model.predict(X)


def fit_HingeLPClassifier(X: Rows, y: Any) -> None:
    model = wl.HingeLPClassifier()
    assert_type(model, wl.HingeLPClassifier)
    assert_type(model.fit(X, y), wl.HingeLPClassifier)
    model.predict(X)


def fit_ID3Classifier(X: Rows, y: Any) -> None:
    model = wl.ID3Classifier()
    assert_type(model, wl.ID3Classifier)
    assert_type(model.fit(X, y), wl.ID3Classifier)
    model.predict(X)


def fit_IntervalUnionClassifier(X: Rows, y: Any) -> None:
    model = wl.IntervalUnionClassifier()
    assert_type(model, wl.IntervalUnionClassifier)
    assert_type(model.fit(X, y), wl.IntervalUnionClassifier)
    model.predict(X)


def fit_KernelPerceptron(X: Rows, y: Any) -> None:
    model = wl.KernelPerceptron()
    assert_type(model, wl.KernelPerceptron)
    assert_type(model.fit(X, y), wl.KernelPerceptron)
    model.predict(X)


def fit_KernelSVMClassifier(X: Rows, y: Any) -> None:
    model = wl.KernelSVMClassifier()
    assert_type(model, wl.KernelSVMClassifier)
    assert_type(model.fit(X, y), wl.KernelSVMClassifier)
    model.predict(X)


def fit_LPBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.LPBoostClassifier()
    assert_type(model, wl.LPBoostClassifier)
    assert_type(model.fit(X, y), wl.LPBoostClassifier)
    model.predict(X)


def fit_MadaBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.MadaBoostClassifier()
    assert_type(model, wl.MadaBoostClassifier)
    assert_type(model.fit(X, y), wl.MadaBoostClassifier)
    model.predict(X)


def fit_MajorityOfThreeClassifier(X: Rows, y: Any) -> None:
    model = wl.MajorityOfThreeClassifier()
    assert_type(model, wl.MajorityOfThreeClassifier)
    assert_type(model.fit(X, y), wl.MajorityOfThreeClassifier)
    model.predict(X)


def fit_MarginPerceptron(X: Rows, y: Any) -> None:
    model = wl.MarginPerceptron()
    assert_type(model, wl.MarginPerceptron)
    assert_type(model.fit(X, y), wl.MarginPerceptron)
    model.predict(X)


def fit_MonomialClassifier(X: Rows, y: Any) -> None:
    model = wl.MonomialClassifier()
    assert_type(model, wl.MonomialClassifier)
    assert_type(model.fit(X, y), wl.MonomialClassifier)
    model.predict(X)


def fit_NormalBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.NormalBoostClassifier()
    assert_type(model, wl.NormalBoostClassifier)
    assert_type(model.fit(X, y), wl.NormalBoostClassifier)
    model.predict(X)


def fit_OneVsRestBooster(X: Rows, y: Any) -> None:
    model = wl.OneVsRestBooster()
    assert_type(model, wl.OneVsRestBooster)
    assert_type(model.fit(X, y), wl.OneVsRestBooster)
    model.predict(X)


def fit_OnlineDisjunction(X: Rows, y: Any) -> None:
    model = wl.OnlineDisjunction()
    assert_type(model, wl.OnlineDisjunction)
    assert_type(model.fit(X, y), wl.OnlineDisjunction)
    model.predict(X)


def fit_Perceptron(X: Rows, y: Any) -> None:
    model = wl.Perceptron()
    assert_type(model, wl.Perceptron)
    assert_type(model.fit(X, y), wl.Perceptron)
    model.predict(X)


def fit_RandomForestClassifier(X: Rows, y: Any) -> None:
    model = wl.RandomForestClassifier()
    assert_type(model, wl.RandomForestClassifier)
    assert_type(model.fit(X, y), wl.RandomForestClassifier)
    model.predict(X)


def fit_RandomForestRegressor(X: Rows, y: Any) -> None:
    model = wl.RandomForestRegressor()
    assert_type(model, wl.RandomForestRegressor)
    assert_type(model.fit(X, y), wl.RandomForestRegressor)
    model.predict(X)


def fit_RankBoost(X: Rows, y: Any) -> None:
    model = wl.RankBoost()
    assert_type(model, wl.RankBoost)
    assert_type(model.fit(X, y), wl.RankBoost)
    model.predict(X)


def fit_RealAdaBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.RealAdaBoostClassifier()
    assert_type(model, wl.RealAdaBoostClassifier)
    assert_type(model.fit(X, y), wl.RealAdaBoostClassifier)
    model.predict(X)


def fit_RectangleClassifier(X: Rows, y: Any) -> None:
    model = wl.RectangleClassifier()
    assert_type(model, wl.RectangleClassifier)
    assert_type(model.fit(X, y), wl.RectangleClassifier)
    model.predict(X)


def fit_RuleClassifier(X: Rows, y: Any) -> None:
    model = wl.RuleClassifier()
    assert_type(model, wl.RuleClassifier)
    assert_type(model.fit(X, y), wl.RuleClassifier)
    model.predict(X)


def fit_SGDClassifier(X: Rows, y: Any) -> None:
    model = wl.SGDClassifier()
    assert_type(model, wl.SGDClassifier)
    assert_type(model.fit(X, y), wl.SGDClassifier)
    model.predict(X)


def fit_SleepingExperts(X: Rows, y: Any) -> None:
    model = wl.SleepingExperts()
    assert_type(model, wl.SleepingExperts)
    assert_type(model.fit(X, y), wl.SleepingExperts)
    model.predict(X)


def fit_SlipperClassifier(X: Rows, y: Any) -> None:
    model = wl.SlipperClassifier()
    assert_type(model, wl.SlipperClassifier)
    assert_type(model.fit(X, y), wl.SlipperClassifier)
    model.predict(X)


def fit_SmoothBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.SmoothBoostClassifier()
    assert_type(model, wl.SmoothBoostClassifier)
    assert_type(model.fit(X, y), wl.SmoothBoostClassifier)
    model.predict(X)


def fit_SoftBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.SoftBoostClassifier()
    assert_type(model, wl.SoftBoostClassifier)
    assert_type(model.fit(X, y), wl.SoftBoostClassifier)
    model.predict(X)


def fit_SpamFilter(X: Rows, y: Any) -> None:
    model = wl.SpamFilter()
    assert_type(model, wl.SpamFilter)
    assert_type(model.fit(X, y), wl.SpamFilter)
    model.predict(X)


def fit_StrongClassifier(X: Rows, y: Any) -> None:
    model = wl.StrongClassifier()
    assert_type(model, wl.StrongClassifier)
    assert_type(model.fit(X, y), wl.StrongClassifier)
    model.predict(X)


def fit_StrongRegressor(X: Rows, y: Any) -> None:
    model = wl.StrongRegressor()
    assert_type(model, wl.StrongRegressor)
    assert_type(model.fit(X, y), wl.StrongRegressor)
    model.predict(X)


def fit_TermVectorizer(X: Rows, y: Any) -> None:
    model = wl.TermVectorizer()
    assert_type(model, wl.TermVectorizer)
    assert_type(model.fit(X, y), wl.TermVectorizer)
    model.transform(X)


def fit_ThreePieceClassifier(X: Rows, y: Any) -> None:
    model = wl.ThreePieceClassifier()
    assert_type(model, wl.ThreePieceClassifier)
    assert_type(model.fit(X, y), wl.ThreePieceClassifier)
    model.predict(X)


def fit_ThresholdClassifier(X: Rows, y: Any) -> None:
    model = wl.ThresholdClassifier()
    assert_type(model, wl.ThresholdClassifier)
    assert_type(model.fit(X, y), wl.ThresholdClassifier)
    model.predict(X)


def fit_TotalBoostClassifier(X: Rows, y: Any) -> None:
    model = wl.TotalBoostClassifier()
    assert_type(model, wl.TotalBoostClassifier)
    assert_type(model.fit(X, y), wl.TotalBoostClassifier)
    model.predict(X)


def fit_WindowClassifier(X: Rows, y: Any) -> None:
    model = wl.WindowClassifier()
    assert_type(model, wl.WindowClassifier)
    assert_type(model.fit(X, y), wl.WindowClassifier)
    model.predict(X)
