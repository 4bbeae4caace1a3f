// Package exact is the engine that grows trees by the values of a table, not by bins. It has one
// package for each strategy, and holds the options that all of them have:
//
//	presorted   single trees: every column stays sorted through all splits
//	ranked      forests: nodes sort the few columns that they sample, by ranks that all trees use
//	weighted    rows that enter several children by fractions: C4.5, ID3, CART with fractional rows
//	random      random thresholds: extremely randomised trees, isolation forests
//	stump       trees of one split on weights, as boosting grows them
//
// Each has a Prepared table and a Config of its own, so that a table cannot be grown on by a
// strategy that it is not prepared for. Below them, under internal, are:
//
//	growth      the core: nodes, their statistics, the queue, deferred subtrees, partitions of rows.
//	            It hands nodes to a growth.Strategy, which returns splits and the children's rows.
//	scan        the best split of a node by one column, or along a direction of several, and the
//	            comparison of columns
//	sorting     orders of rows, and tables of sorted columns
//
// The imports go down this list: presorted, ... -> scan -> growth -> sorting.
package exact
