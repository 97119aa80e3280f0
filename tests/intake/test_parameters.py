"""Names that are nearly right, or right in another library, are answered with the right ones."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import weaklearn as wl
from weaklearn.cli.fault import Fault
from weaklearn.cli.model import made

X = np.arange(20.0)[:, None]
Y = np.arange(20) > 9


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("eval_set", "Pass validation rows as X_val and y_val."),
        ("sample_weigth", "Did you mean 'sample_weight'?"),
        ("init_score", "It is called 'offset' here."),
        ("nonsense", "known are X, y, sample_weight"),
    ],
)
def test_fit_says_what_may_be_meant(name, said) -> None:
    model = wl.GradientBoostingClassifier(n_estimators=2)
    with pytest.raises(TypeError, match="fit\\(\\) got an unexpected keyword") as error:
        model.fit(X, Y, **{name: None})
    assert said in str(error.value)
    assert str(error.value).startswith("GradientBoostingClassifier.fit()")


def test_adaboost_knows_validation_rows_too_and_no_offset() -> None:
    with pytest.raises(TypeError, match="X_val and y_val"):
        wl.AdaBoostClassifier().fit(X, Y, eval_set=[(X, Y)])
    with pytest.raises(TypeError, match="known are"):
        wl.AdaBoostClassifier().fit(X, Y, base_margin=X[:, 0])


@pytest.mark.parametrize("model", [wl.GradientBoostingClassifier(), wl.DecisionTreeClassifier()])
def test_set_params_says_what_may_be_meant(model) -> None:
    with pytest.raises(ValueError, match=r"Did you mean 'max_depth'.*Valid parameters are"):
        model.set_params(max_dept=3)
    with pytest.raises(ValueError, match="It is called 'max_leaf_nodes' here"):
        model.set_params(num_leaves=3)
    with pytest.raises(TypeError, match="It is called 'max_leaf_nodes' here"):
        type(model)(num_leaves=3)
    before = model.get_params()
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(max_depth=2, nonsense=1)
    assert model.get_params() == before
    assert model.set_params(max_depth=2).max_depth == 2


def test_names_of_other_libraries_are_known_where_they_mean_something() -> None:
    with pytest.raises(TypeError, match="It is called 'estimator' here"):
        wl.AdaBoostClassifier(base_estimator=None)
    with pytest.raises(TypeError, match="It is called 'n_estimators' here"):
        wl.GradientBoostingRegressor(max_iter=10)
    with pytest.raises(TypeError, match="known are") as error:
        wl.DecisionTreeClassifier(eta=0.1)
    assert "learning_rate" not in str(error.value)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (HistGradientBoostingClassifier, wl.GradientBoostingClassifier),
        (HistGradientBoostingRegressor, wl.GradientBoostingRegressor),
    ],
)
def test_every_parameter_of_histogram_boosting_is_known_or_named(theirs, ours) -> None:
    known = ours().get_params()
    for name, value in theirs().get_params().items():
        if name in known:
            ours(**{name: value})
            continue
        assert name == "max_iter"
        with pytest.raises(TypeError, match="It is called 'n_estimators' here"):
            ours(**{name: value})
        with pytest.raises(Fault, match="It is called 'n_estimators' here"):
            made(ours.__name__, "classes", [f"{name}={value}"])


@pytest.mark.parametrize(
    ("kind", "theirs", "said"),
    [
        (wl.AdditiveBoostingClassifier, "interactions", "It is called 'n_pairs' here."),
        (wl.AdditiveBoostingClassifier, "outer_bags", "It is called 'n_bags' here."),
        (wl.AdditiveBoostingClassifier, "max_rounds", "It is called 'n_estimators' here."),
        (wl.AdditiveBoostingClassifier, "validation_size", "called 'validation_fraction' here."),
        (wl.AdditiveBoostingClassifier, "early_stopping_tolerance", "It is called 'tol' here."),
        (wl.AdditiveBoostingClassifier, "early_stopping_rounds", "called 'n_iter_no_change' here"),
        (wl.AdditiveBoostingClassifier, "inner_bags", "a share of the rows, subsample"),
        (wl.AdditiveBoostingClassifier, "smoothing_rounds", "There is nothing to set here"),
        (wl.AdditiveBoostingClassifier, "exclude", "Leave the columns out of X"),
        (wl.AdditiveBoostingClassifier, "feature_names", "Pass a DataFrame"),
        (wl.AdditiveBoostingClassifier, "feature_types", "categorical_features names further"),
        (wl.GradientBoostingClassifier, "interactions", "interaction_cst says which columns"),
        (wl.GradientBoostingClassifier, "outer_bags", "This model has no bags"),
        (wl.GradientBoostingClassifier, "max_rounds", "It is called 'n_estimators' here."),
        (wl.GradientBoostingClassifier, "min_child_weight", "It is called 'min_hessian_leaf'"),
        (wl.GradientBoostingClassifier, "reg_alpha", "It is called 'l1_regularization' here."),
        (wl.GradientBoostingClassifier, "reg_lambda", "It is called 'l2_regularization' here."),
        (wl.GradientBoostingClassifier, "num_leaves", "It is called 'max_leaf_nodes' here."),
        (wl.GradientBoostingClassifier, "border_count", "It is called 'max_bins' here."),
        (wl.GradientBoostingClassifier, "logging_level", "It is called 'verbose' here."),
        (wl.GradientBoostingClassifier, "od_wait", "Set early_stopping=True"),
        (wl.GradientBoostingClassifier, "importance_type", "feature_importances_ are shares"),
        (wl.AdditiveBoostingClassifier, "min_cat_samples", "It is called 'min_samples_category'"),
        (wl.AdditiveBoostingClassifier, "gain_scale", "feature_factors multiplies the gain"),
        (wl.GradientBoostingClassifier, "forcedsplits_filename", "It is called 'forced_splits'"),
        (wl.GradientBoostingClassifier, "loss_function", "It is called 'loss' here."),
        (wl.GradientBoostingClassifier, "bootstrap_type", "Rows are drawn in one way here"),
        (wl.GradientBoostingClassifier, "one_hot_max_size", "min_samples_category and"),
        (wl.GradientBoostingClassifier, "grow_policy", "Trees grow best leaf first"),
        (wl.GradientBoostingClassifier, "bagging_seed", "has one seed here, random_state"),
        (wl.GradientBoostingClassifier, "save_snapshot", "A fit writes no files"),
        (wl.GradientBoostingClassifier, "label_gain", "learnt by GradientBoostingRanker"),
        (wl.GradientBoostingRegressor, "tweedie_variance_power", "It is called 'power' here."),
        (wl.GradientBoostingRegressor, "class_weights", "Numbers have no classes"),
        (wl.RandomForestClassifier, "num_leaves", "It is called 'max_leaf_nodes' here."),
        (wl.RandomForestClassifier, "min_child_weight", "min_samples_leaf is one on examples"),
        (wl.AdaBoostClassifier, "max_iter", "It is called 'n_estimators' here."),
    ],
)
def test_constructors_and_the_command_line_hint_alike(kind, theirs, said) -> None:
    with pytest.raises(TypeError) as constructed:
        kind(**{theirs: 1})
    with pytest.raises(Fault) as commanded:
        made(kind.__name__, "classes", [f"{theirs}=1"])
    assert said in str(constructed.value)
    assert said in str(commanded.value)


# Arguments of LightGBM, XGBoost, CatBoost and EBM that change what is learnt.
_OF_PEERS = (
    "num_leaves subsample_for_bin min_split_gain min_child_weight colsample_bytree reg_alpha "
    "reg_lambda data_sample_strategy pos_bagging_fraction bagging_freq feature_fraction "
    "feature_fraction_bynode extra_trees max_delta_step linear_tree drop_rate skip_drop top_rate "
    "other_rate min_data_per_group max_cat_threshold cat_l2 cat_smooth monotone_constraints "
    "monotone_penalty feature_contri cegb_tradeoff path_smooth interaction_constraints max_bin "
    "min_data_in_bin zero_as_missing is_unbalance scale_pos_weight boost_from_average eta gamma "
    "grow_policy booster tree_method colsample_bylevel base_score num_parallel_tree max_leaves "
    "multi_strategy aft_loss_distribution rate_drop process_type iterations depth l2_leaf_reg rsm "
    "border_count leaf_estimation_iterations auto_class_weights one_hot_max_size random_strength "
    "bagging_temperature model_size_reg simple_ctr has_time bootstrap_type langevin od_wait "
    "nan_mode text_features eval_fraction interactions outer_bags inner_bags max_rounds "
    "validation_size early_stopping_tolerance gain_scale min_hessian"
)


@pytest.mark.parametrize("kind", [wl.GradientBoostingClassifier, wl.GradientBoostingRegressor])
def test_whatever_changes_a_model_of_peers_is_answered(kind) -> None:
    for name in _OF_PEERS.split():
        with pytest.raises(TypeError) as error:
            kind(**{name: 1})
        assert "known are" not in str(error.value), name
        assert "Did you mean" not in str(error.value), name


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda G: G(early_stopping_rounds=10), "Set early_stopping=True and n_iter_no_change"),
        (lambda G: wl.GradientBoostingRanker(lambdarank_norm=True), "called 'normalize' here."),
        (lambda G: G(nthread=2), "It is called 'n_jobs' here."),
        (lambda G: G(num_threads=2), "It is called 'n_jobs' here."),
        (lambda G: G(reg_alpha=1), "It is called 'l1_regularization' here."),
        (lambda G: G(lambda_l1=1), "It is called 'l1_regularization' here."),
        (lambda G: G(eval_metric="auc"), "It is called 'scoring' here."),
        (lambda G: G(metric="auc"), "It is called 'scoring' here."),
        (lambda G: G(device="cuda"), "there is no GPU support"),
        (lambda G: G(tree_method="hist"), "There is one method here: histograms"),
        (lambda G: G(boosting_type="dart"), "for dart set dropout"),
        (lambda G: G(rate_drop=0.1), "It is called 'dropout' here."),
        (lambda G: G(linear_tree=True), "It is called 'linear_leaves' here."),
        (lambda G: G(linear_lambda=1), "It is called 'linear_l2' here."),
        (lambda G: G(skip_drop=0.1), "dropout is the only number of it here"),
        (lambda G: G(bagging_freq=1), "Rows are drawn anew in every round here."),
        (lambda G: G(num_class=3), "the classes are those in y"),
        (lambda G: G(min_child_weight=1), "It is called 'min_hessian_leaf' here."),
        (lambda G: G(max_delta_step=1), "It is called 'max_step' here."),
        (lambda G: G(colsample_bylevel=1), "It is called 'max_features_by_level' here."),
        (lambda G: G(feature_fraction_bynode=1), "It is called 'max_features_by_node' here."),
        (lambda G: G(feature_contri=[1]), "It is called 'feature_factors' here."),
        (lambda G: G(extra_trees=True), "Set splitter='random'"),
        (lambda G: G(top_rate=0.2), "It is called 'keep_largest' here."),
        (lambda G: G(other_rate=0.1), "Set keep_largest, the share of largest gradients"),
        (lambda G: G(cat_smooth=1), "It is called 'category_smoothing' here."),
        (lambda G: G(path_smooth=1), "It is called 'path_smoothing' here."),
        (lambda G: G(scale_pos_weight=3), "class_weight={negative: 1, positive: 3}"),
        (lambda G: G(enable_categorical=True), "Nothing is needed"),
        (lambda G: G(base_margin=X), "called 'offset' here, an argument of fit."),
        (lambda G: wl.AdaBoostClassifier(algorithm="SAMME"), "pass multiclass='samme'"),
        (lambda G: G().fit(X, Y, early_stopping_rounds=3), "Set early_stopping=True"),
        (lambda G: G().fit(X, Y, callbacks=[]), "It is an argument of the constructor."),
        (lambda G: G().fit(X, Y, verbose=1), "It is an argument of the constructor."),
        (lambda G: G().fit(X, Y, categorical_feature=[0]), "'categorical_features' here, an"),
        (lambda G: G().fit(X, Y, eval_metric="auc"), "called 'scoring' here, an argument of"),
        (lambda G: G().fit(X, Y, group=[20]), "Orders of items are learnt by RankBoost"),
        (lambda G: G().fit(X, Y, qid=Y), "Orders of items are learnt by RankBoost"),
        (lambda G: G().predict(X, pred_contrib=True), "model.explain(X)"),
        (lambda G: G().predict(X, raw_score=True), "model.decision_function(X)"),
        (lambda G: G().predict(X, num_iteration=3), "model.truncate(n)"),
        (lambda G: G().predict(X, iteration_range=(0, 3)), "model.truncate(n)"),
        (lambda G: wl.RankBoost().fit(X, Y, qid=Y), "It is called 'group' here."),
        (lambda G: wl.RankBoost().fit(X, Y, eval_set=[]), "rows as X_val and y_val"),
        (lambda G: wl.DecisionTreeClassifier().fit(X, Y, sample_weigth=Y), "'sample_weight'?"),
        (
            lambda G: G().fit(X),
            r"GradientBoostingClassifier.fit() missing a required argument: 'y'",
        ),
        (lambda G: wl.AdaBoostClassifier().fit(X), "AdaBoostClassifier.fit() missing"),
    ],
)
def test_what_other_libraries_call_it_is_answered(make, said) -> None:
    with pytest.raises(TypeError) as error:
        make(wl.GradientBoostingClassifier)
    assert said in str(error.value)
    assert "known are" not in str(error.value)


def test_parameters_of_the_estimator_inside_are_set() -> None:
    model = wl.AdaBoostClassifier(wl.DecisionTreeClassifier())
    assert model.set_params(estimator__max_depth=2).estimator.max_depth == 2
    with pytest.raises(ValueError, match="Did you mean 'max_depth'"):
        model.set_params(estimator__max_dept=2)


def test_columns_named_nearly_right() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"age": X[:, 0], "height": X[:, 0]})
    for settings in ({"categorical_features": ["hieght"]}, {"monotonic_cst": {"hieght": 1}}):
        with pytest.raises(ValueError, match="Did you mean 'height'"):
            wl.DecisionTreeClassifier(**settings).fit(table, Y)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"age": 1.0}], r"list of dicts.* pass X as pandas.DataFrame\(X\)"),
        ({"age": [1.0]}, r"dict of columns.* pass X as pandas.DataFrame\(X\)"),
        ({"age": 1.0}, r"one row.* pass X as pandas.DataFrame\(\[X\]\)"),
    ],
)
def test_dicts_are_told_how_to_become_tables(rows, said) -> None:
    model = wl.DecisionTreeClassifier().fit(X, Y)
    for call in (model.predict, lambda rows: wl.DecisionTreeClassifier().fit(rows, [1])):
        with pytest.raises(ValueError, match=said):
            call(rows)


def test_places_where_no_file_can_be(tmp_path) -> None:
    model = wl.DecisionTreeClassifier().fit(X, Y)
    with pytest.raises(FileNotFoundError, match="folder that does not exist; make"):
        model.save(tmp_path / "none" / "model.weak")
    with pytest.raises(IsADirectoryError, match="is a folder; name a file in it"):
        model.save(tmp_path)
    with pytest.raises(TypeError, match="path=3 is not allowed"):
        model.save(3)
    assert list(tmp_path.iterdir()) == []


def test_verify_reads_a_path(tmp_path) -> None:
    model = wl.DecisionTreeClassifier().fit(X, Y)
    model.save(tmp_path / "model.weak")
    assert wl.verify(tmp_path / "model.weak", X, Y)
    assert not wl.verify(str(tmp_path / "model.weak"), X[1:], Y[1:])
    with pytest.raises(FileNotFoundError):
        wl.verify("none.weak", X, Y)


def test_constructors_list_what_is_their_own_before_what_every_fit_has() -> None:
    last = (
        *("class_weight", "early_stopping", "validation_fraction", "n_iter_no_change", "tol"),
        *("scoring", "cv", "warm_start", "callbacks", "calibrate", "unseen", "columns"),
        *("random_state", "n_jobs", "verbose"),
    )
    first = {
        wl.AdaBoostClassifier: "estimator n_estimators learning_rate multiclass on_half on_perfect "
        "resample min_weight_fraction_leaf",
        wl.RealAdaBoostClassifier: "estimator n_estimators learning_rate smoothing on_perfect "
        "multiclass min_weight_fraction_leaf",
        wl.AnyBoostClassifier: "estimator loss step n_estimators learning_rate init multiclass "
        "min_weight_fraction_leaf",
        wl.AnyBoostRegressor: "estimator loss step n_estimators learning_rate init",
        wl.AdaBoostRegressor: "estimator n_estimators learning_rate loss",
        wl.AdaBoostM2Classifier: "estimator n_estimators learning_rate on_perfect resample "
        "min_weight_fraction_leaf",
        wl.Boosted: "booster estimator n_estimators multiclass resample min_weight_fraction_leaf",
    }
    for kind, names in first.items():
        regressor = kind.__name__.endswith("Regressor")
        rest = [name for name in last if not regressor or name not in ("class_weight", "calibrate")]
        assert list(signature(kind).parameters) == [*names.split(), *rest]
        positional = [
            p.name for p in signature(kind).parameters.values() if p.kind < p.KEYWORD_ONLY
        ]
        assert positional == [name for name in ("booster", "estimator") if name in names.split()]


def test_constructors_that_are_declared_keep_what_they_are_given() -> None:
    """As scikit-learn asks: stored untouched, under their own names, and nothing else."""
    given = {"estimator": object(), "n_estimators": "many", "multiclass": 3, "tol": None}
    model = wl.AdaBoostClassifier(**given)
    assert all(model.get_params()[name] is value for name, value in given.items())
    assert set(vars(model)) == set(signature(wl.AdaBoostClassifier).parameters)
    with pytest.raises(TypeError, match="Did you mean 'n_estimators'"):
        wl.AdaBoostClassifier(n_estimator=3)
    with pytest.raises(TypeError, match="positional"):
        wl.AdaBoostClassifier("stump", 3)


@pytest.mark.parametrize(
    "name", ["feature_weights", "feature_factors", "monotonic_cst", "categorical_features"]
)
def test_lists_of_lists_are_refused_by_name(name: str) -> None:
    """Of unlike lengths they ended in an error of numpy about arrays."""
    X = np.arange(40.0).reshape(20, 2)
    for wrong in ([[0, 1], [2]], [[0, 1], [0, 1]]):
        with pytest.raises(ValueError, match=rf"{name} is \[\[0, 1\]"):
            wl.GradientBoostingRegressor(n_estimators=2, **{name: wrong}).fit(X, X[:, 0])


def test_quantiles_of_unlike_lengths_are_refused_by_name() -> None:
    X = np.arange(40.0).reshape(20, 2)
    with pytest.raises(ValueError, match=r"quantile=\[\[0.1\], \[0.2, 0.3\]\] is not allowed"):
        wl.GradientBoostingRegressor("quantile", quantile=[[0.1], [0.2, 0.3]]).fit(X, X[:, 0])
