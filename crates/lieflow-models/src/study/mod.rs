//! Questions asked of many runs of one problem.
