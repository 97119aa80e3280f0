"""Names of arguments in other libraries, and what they are called or done by here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from ..base.messages.spelling import nearest

# Our names, and those in other libraries.
_ELSEWHERE = {
    "callbacks": "callback",
    "category_smoothing": "cat_smooth",
    "class_weight": "class_weights",
    "categorical_features": "cat_features categorical_feature",
    "dropout": "drop_rate rate_drop",
    "estimator": "base_estimator",
    "group": "qid group_id query_id",
    "interaction_cst": "interaction_constraints",
    "keep_largest": "top_rate",
    "l1_regularization": "alpha lambda_l1 reg_alpha",
    "l2_regularization": "l2_leaf_reg lambda_l2 reg_lambda",
    "learning_rate": "eta",
    "linear_l2": "linear_lambda",
    "linear_leaves": "linear_tree",
    "loss": "loss_function objective",
    "max_bins": "border_count max_bin",
    "max_depth": "depth",
    "feature_factors": "feature_contri feature_contrib feature_penalty",
    "forced_splits": "forcedsplits_filename",
    "max_features": "colsample_bytree feature_fraction rsm",
    "max_features_by_level": "colsample_bylevel",
    "max_features_by_node": "colsample_bynode feature_fraction_bynode",
    "max_leaf_nodes": "max_leaves num_leaves",
    "max_step": "max_delta_step max_leaf_output",
    "min_gain": "gamma min_gain_to_split min_impurity_decrease min_split_gain",
    "min_hessian_leaf": "min_child_weight min_hessian min_sum_hessian min_sum_hessian_in_leaf",
    "min_samples_category": "min_cat_samples min_data_per_group",
    "min_samples_leaf": "min_child_samples min_data_in_leaf",
    "monotonic_cst": "monotone_constraints",
    "n_bags": "outer_bags",
    "n_estimators": "iterations max_iter max_rounds num_boost_round num_iterations num_round "
    "num_trees",
    "n_pairs": "interactions",
    "n_jobs": "nthread num_threads thread_count",
    "normalize": "lambdarank_norm",
    "offset": "base_margin baseline init_score",
    "offset_val": "base_margin_eval_set eval_init_score",
    "path_smoothing": "path_smooth",
    "position_norm": "lambdarank_bias_norm",
    "power": "tweedie_variance_power",
    "quantile": "quantile_alpha",
    "random_state": "random_seed seed",
    "sample_weight_val": "eval_sample_weight sample_weight_eval_set",
    "scoring": "custom_metric eval_metric metric",
    "sigma": "sigmoid",
    "subsample": "bagging_fraction",
    "tol": "early_stopping_min_delta early_stopping_tolerance od_pval",
    "truncation": "lambdarank_num_pair_per_sample lambdarank_truncation_level",
    "validation_fraction": "eval_fraction validation_size",
    "verbose": "logging_level silent verbose_eval verbosity",
}
_OURS = {theirs: ours for ours, names in _ELSEWHERE.items() for theirs in names.split()}

# What is done otherwise here, or not at all: names of others, the argument of ours that a model
# must have for it to be said ("" for none), and the sentence.
_OTHERWISE = (
    ("eval_set validation_data", "X_val", "Pass validation rows as X_val and y_val."),
    (
        "early_stopping_round early_stopping_rounds od_type od_wait use_best_model",
        "early_stopping",
        "Set early_stopping=True and n_iter_no_change, the rounds to wait, in the constructor.",
    ),
    (
        "early_stopping_round early_stopping_rounds od_type od_wait use_best_model",
        "n_iter_no_change",
        "It is called 'n_iter_no_change' here, an argument of the constructor.",
    ),
    (
        "interactions",
        "interaction_cst",
        "interaction_cst says which columns may act together; AdditiveBoostingClassifier and "
        "AdditiveBoostingRegressor learn n_pairs functions of two columns.",
    ),
    (
        "outer_bags",
        "subsample",
        "This model has no bags: BaggingClassifier(model) and BaggingRegressor(model) average "
        "models of several.",
    ),
    (
        "inner_bags",
        "subsample",
        "Every round is learnt from a share of the rows, subsample, drawn anew.",
    ),
    (
        "max_interaction_bins smoothing_rounds interaction_smoothing_rounds greedy_ratio "
        "cyclic_progress",
        "n_pairs",
        "There is nothing to set here: pairs are cut as columns are, and columns take turns.",
    ),
    (
        "exclude mains ignored_features ignore_column",
        "unseen",
        "Leave the columns out of X: every one of them is used.",
    ),
    (
        "feature_names feature_name",
        "unseen",
        "Pass a DataFrame: its columns are the names.",
    ),
    (
        "feature_types",
        "categorical_features",
        "Types are those of the columns of a DataFrame; categorical_features names further ones.",
    ),
    (
        "importance_type",
        "unseen",
        "feature_importances_ are shares of the gain; weaklearn.show.importances(model, X, y, "
        "by='permutation') gives others.",
    ),
    (
        "scale_pos_weight",
        "class_weight",
        "Pass class_weight={negative: 1, positive: 3} for a factor of 3.",
    ),
    ("auto_class_weights is_unbalance", "class_weight", "Pass class_weight='balanced'."),
    (
        "auto_class_weights class_weight class_weights is_unbalance scale_pos_weight",
        "quantile",
        "Numbers have no classes: weigh rows by sample_weight, an argument of fit.",
    ),
    (
        "class_names classes_count num_class use_label_encoder",
        "class_weight",
        "Nothing is needed: the classes are those in y.",
    ),
    (
        "enable_categorical",
        "unseen",
        "Nothing is needed: columns of texts and categories are used as they are.",
    ),
    ("missing", "unseen", "Nothing is needed: NaN, NaT, NA and None are missing values."),
    (
        "min_child_weight min_hessian min_sum_hessian min_sum_hessian_in_leaf",
        "min_samples_leaf",
        "There is no limit on the hessian of a leaf here; min_samples_leaf is one on examples.",
    ),
    (
        "gain_scale",
        "feature_factors",
        "feature_factors multiplies the gain of each column by a number of its own.",
    ),
    (
        "data_sample_strategy other_rate sampling_method",
        "keep_largest",
        "Set keep_largest, the share of largest gradients, and subsample, the share of the others.",
    ),
    (
        "extra_trees",
        "splitter",
        "Set splitter='random': one cut of each column is drawn at each node.",
    ),
    (
        "colsample_bylevel colsample_bynode feature_fraction_bynode",
        "max_features",
        "max_features is the number or share of columns drawn here.",
    ),
    (
        "cegb_penalty_feature_coupled cegb_penalty_feature_lazy cegb_penalty_split cegb_tradeoff "
        "first_feature_use_penalties model_size_reg monotone_penalty penalties_coefficient "
        "per_object_feature_penalties",
        "feature_factors",
        "feature_factors multiplies the gain of splits on each column.",
    ),
    ("bagging_freq subsample_freq", "subsample", "Rows are drawn anew in every round here."),
    (
        "bagging_by_query bagging_temperature bootstrap_type mvs_reg neg_bagging_fraction "
        "pos_bagging_fraction sampling_frequency sampling_unit",
        "subsample",
        "Rows are drawn in one way here: in every round the share subsample of them.",
    ),
    (
        "bagging_seed data_random_seed drop_seed extra_seed feature_fraction_seed objective_seed",
        "random_state",
        "All that is random has one seed here, random_state.",
    ),
    (
        "boosting boosting_type booster",
        "dropout",
        "There is one kind of gradient boosting here, of trees; for dart set dropout, the chance "
        "of a round to be left out, and for goss keep_largest.",
    ),
    (
        "boosting boosting_type booster",
        "l2_regularization",
        "There is one kind of gradient boosting in this model.",
    ),
    (
        "max_drop normalize_type one_drop sample_type skip_drop uniform_drop xgboost_dart_mode",
        "dropout",
        "dropout is the only number of it here: every round may be left out, or none.",
    ),
    ("tree_method", "max_bins", "There is one method here: histograms of max_bins bins."),
    (
        "bin_construct_sample_cnt feature_border_type feature_pre_filter fixed_binary_splits "
        "forcedbins_filename input_borders max_bin_by_feature min_data_in_bin output_borders "
        "per_float_feature_quantization sketch_eps subsample_for_bin",
        "max_bins",
        "Bins are cut in one way here: max_bins of each column, of equal shares of the rows.",
    ),
    (
        "nan_mode use_missing zero_as_missing",
        "unseen",
        "Nothing is needed: NaN, NaT, NA and None are missing values, and 0 is a number.",
    ),
    (
        "deterministic enable_bundle force_col_wise force_row_wise histogram_pool_size "
        "is_enable_sparse used_ram_limit",
        "n_jobs",
        "Nothing is needed: models are the same bits on any number of threads.",
    ),
    (
        "allow_writing_files metric_period plot save_snapshot snapshot_file snapshot_interval "
        "train_dir",
        "callbacks",
        "A fit writes no files: verbose=1 shows its progress, and callbacks are told every round.",
    ),
    (
        "grow_policy",
        "max_leaf_nodes",
        "Trees grow best leaf first, up to max_leaf_nodes; max_depth limits their levels.",
    ),
    ("linear_lambda linear_tree", "max_leaf_nodes", "There are no linear leaves here."),
    ("forcedsplits_filename", "max_leaf_nodes", "There are no forced splits in this model."),
    (
        "num_parallel_tree",
        "max_leaf_nodes",
        "Every round grows one tree for each output; BaggingClassifier(model) and "
        "BaggingRegressor(model) average models of several.",
    ),
    (
        "multi_strategy",
        "max_leaf_nodes",
        "Nothing is needed: every round grows one tree for each output.",
    ),
    (
        "base_score boost_from_average init",
        "l2_regularization",
        "Scores start at the best constant, or at offset, an argument of fit.",
    ),
    (
        "leaf_estimation_backtracking leaf_estimation_iterations leaf_estimation_method",
        "l2_regularization",
        "There is nothing to set here: every loss finds the values of its leaves in one way.",
    ),
    (
        "diffusion_temperature langevin model_shrink_mode model_shrink_rate posterior_sampling "
        "random_score_type random_strength score_function",
        "splitter",
        "Splits are those of the largest gain, without noise; splitter='random' draws cuts.",
    ),
    (
        "cat_l2 max_cat_threshold max_cat_to_onehot one_hot_max_size",
        "category_smoothing",
        "Categories are cut in the order of their gradients; min_samples_category and "
        "category_smoothing limit how.",
    ),
    (
        "cat_l2 cat_smooth max_cat_threshold max_cat_to_onehot min_cat_samples one_hot_max_size",
        "categorical_features",
        "There is nothing to set here: what chance gives to categories is taken off their gain.",
    ),
    (
        "combinations_ctr counter_calc_method ctr_description ctr_history_unit "
        "ctr_leaf_count_limit final_ctr_computation_mode fold_len_multiplier "
        "fold_permutation_block has_time max_ctr_complexity per_feature_ctr simple_ctr "
        "store_all_simple_ctr",
        "categorical_features",
        "Nothing is needed: trees cut sets of categories, and replace none by statistics of y.",
    ),
    (
        "process_type refit_decay_rate refresh_leaf updater xgb_model",
        "warm_start",
        "model.refit(X, y) sets the leaves anew on other rows, model.update(X, y) adds rounds, and "
        "warm_start=True goes on with more rounds.",
    ),
    (
        "aft_loss_distribution aft_loss_distribution_scale fair_c huber_slope "
        "poisson_max_delta_step reg_sqrt sigmoid",
        "loss",
        "A loss with options of its own is passed as an object, such as "
        "weaklearn.losses.Huber(0.9).",
    ),
    (
        "eval_at label_gain lambdarank_bias_norm lambdarank_norm lambdarank_num_pair_per_sample "
        "lambdarank_pair_method lambdarank_position_bias_regularization "
        "lambdarank_truncation_level lambdarank_unbiased ndcg_exp_gain",
        "",
        "Orders of items are learnt by GradientBoostingRanker, whose metric, truncation and "
        "normalize say how.",
    ),
    (
        "dictionaries feature_calcers text_features text_processing tokenizers",
        "unseen",
        "Texts are learnt from by the models of weaklearn.text, or by "
        "weaklearn.text.TermVectorizer before this one.",
    ),
    ("embedding_features", "unseen", "Pass the numbers of an embedding as columns of X."),
    (
        "ccp_alpha",
        "min_gain",
        "Trees are not pruned; min_gain is the least gain of a split.",
    ),
    ("criterion", "min_gain", "Splits are chosen by the gain of the loss."),
    (
        "min_samples_split min_weight_fraction_leaf",
        "min_gain",
        "Leaves are limited by min_samples_leaf and min_hessian_leaf here.",
    ),
    (
        "device device_config device_type devices gpu_id gpu_ram_part predictor task_type",
        "",
        "Everything runs on the processor; there is no GPU support.",
    ),
    ("algorithm", "multiclass", "For SAMME pass multiclass='samme' to AdaBoostClassifier."),
    ("group group_id query_id", "qid", "It is called 'qid' here: an id for each row."),
    (
        "group qid group_id query_id",
        "",
        "Orders of items are learnt by RankBoost, fit(X, y, group=...), and by "
        "GradientBoostingRanker, fit(X, y, qid=...), with an id for each row.",
    ),
    (
        "calibrate",
        "class_weight",
        "calibrate is of boosted votes, such as AdaBoostClassifier; for probabilities to rely on "
        "wrap this model: sklearn.calibration.CalibratedClassifierCV(model).",
    ),
    ("pred_contrib", "", "model.explain(X) gives what every column contributes."),
    ("pred_leaf", "max_leaf_nodes", "model.apply(X) gives the leaves."),
    ("output_margin raw_score", "class_weight", "model.decision_function(X) gives the scores."),
    (
        "iteration_range ntree_limit num_iteration",
        "learning_rate",
        "model.truncate(n) is the model of the first n rounds.",
    ),
)


def meant(name: str, known: Sequence[str], others: Mapping[str, Collection[str]]) -> str:
    """A hint for an unknown argument: what it is called here, what to do, or a near spelling.

    ``known`` are the arguments of what was called, ``others`` those of the model's other methods.

    >>> meant("num_leaves", ["max_depth", "max_leaf_nodes"], {})
    " It is called 'max_leaf_nodes' here."
    >>> meant("num_leaves", ["X", "y"], {"the constructor": ["max_leaf_nodes"]})
    " It is called 'max_leaf_nodes' here, an argument of the constructor."
    >>> meant("verbose", ["X", "y"], {"the constructor": ["verbose"]})
    ' It is an argument of the constructor.'
    """
    ours = _OURS.get(name)
    if ours in known:
        return f" It is called {ours!r} here."
    for place, names in others.items():
        if name in names:
            return f" It is an argument of {place}."
        if ours in names:
            return f" It is called {ours!r} here, an argument of {place}."
    has = {"", *known, *(each for names in others.values() for each in names)}
    for theirs, needed, sentence in _OTHERWISE:
        if needed in has and name in theirs.split():
            return f" {sentence}"
    return nearest(name, known)


def refuse_unknown(
    name: str, known: Sequence[str], function: str, others: Mapping[str, Collection[str]]
) -> NoReturn:
    """Raises Python's TypeError for an unknown argument, with a hint."""
    listed = f" known are {', '.join(known)}." if known else " it has no parameters."
    hint = meant(name, known, others) or listed
    raise TypeError(f"{function}() got an unexpected keyword argument {name!r}:{hint}")
