package xgboost

import (
	"math"
	"strconv"
)

// file is a model as the files have it, whatever their encoding.
type file struct {
	// of XGBoost; 0.0 in the binary files before 1.0, which have no third number: there it is -1
	version   [3]int32
	objective string
	alpha     []float32 // levels of reg:quantileerror and reg:expectileerror

	// base_score: one for all scores or one for each, after the link; margin: before it
	base   []float32
	margin bool

	features, classes, targets int64 // their numbers; of classes 0 where there are none
	columns                    columns
	attributes                 map[string]string
	booster                    string // gbtree, dart or gblinear
	forest                     forest
	weights                    []float32 // of gblinear: feature after feature, and the biases
}

// columns is what a file has of its columns, each list perhaps empty.
type columns struct {
	names, types []string
	categories   [][]string // by column; nil for columns without texts of categories
}

// forest is the trees.
type forest struct {
	trees    []*fileTree
	group    []int32 // by tree: the score that it feeds
	rounds   []int32 // first tree of each round, and the number of trees; nil before 2.1
	parallel int64   // trees of a round for one score
	drop     []float32
}

// fileTree is a tree: arrays over its nodes. Of the children of a leaf the left one is -1.
type fileTree struct {
	width                      int64 // numbers of a leaf; 0 is 1
	left, right                []int32
	feature                    []int32
	cond                       []float32 // threshold; at leaves their value
	defaultLeft, kind          []uint8   // kind 1 is a categorical split; nil: none is
	gain, hessian, base        []float32 // loss_changes, sum_hessian, base_weights
	leaf                       []float32 // leaf_weights: the vectors of all leaves since 3.1
	catNode, catStart, catSize []int32   // nodes of categorical splits, and their parts of ...
	cat                        []int32   // ... the categories that go right
	set                        []int32   // by node: its place in catNode, -1; made by check
}

// mostCategories is the number of categories that single precision can count.
const mostCategories = 1 << 24

// readFile reads the whole structure.
func readFile(d *decoding) (*file, error) {
	f := &file{targets: 1, forest: forest{parallel: 1}}
	var version []int32
	err := d.members(func(name string) func() error {
		switch name {
		case "version":
			return d.int32s(&version)
		case "learner":
			return func() error { return f.readLearner(d) }
		case "Model", "Config":
			return func() error {
				return d.unsupported("a memory snapshot: save the model by save_model")
			}
		}
		return nil
	})
	copy(f.version[:], version)
	if err == nil && f.booster == "" {
		err = d.corrupt("no learner, or one without a booster")
	}
	return f, err
}

func (f *file) readLearner(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "learner_model_param":
			return func() error { return f.readParameters(d) }
		case "feature_names":
			return d.texts(&f.columns.names)
		case "feature_types":
			return d.texts(&f.columns.types)
		case "attributes":
			return func() error { return f.readAttributes(d) }
		case "objective":
			return func() error { return f.readObjective(d) }
		case "gradient_booster":
			return func() error { return f.readBooster(d) }
		}
		return nil
	})
}

func (f *file) readParameters(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "base_score":
			return d.vector(&f.base)
		case "num_feature":
			return d.parameter(&f.features)
		case "num_class":
			return d.parameter(&f.classes)
		case "num_target":
			return d.parameter(&f.targets)
		}
		return nil
	})
}

func (f *file) readObjective(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "name":
			return d.textTo(&f.objective)
		case "quantile_loss_param":
			return func() error { return f.readAlpha(d, "quantile_alpha") }
		case "expectile_loss_param":
			return func() error { return f.readAlpha(d, "expectile_alpha") }
		}
		return nil
	})
}

func (f *file) readAlpha(d *decoding, of string) error {
	return d.members(func(name string) func() error {
		if name == of {
			return d.vector(&f.alpha)
		}
		return nil
	})
}

// readAttributes reads the texts that users add; few of them mean something to the reader.
func (f *file) readAttributes(d *decoding) error {
	return d.members(func(name string) func() error {
		if !isKnownAttribute(name) {
			return nil
		}
		return func() error {
			text, err := d.text()
			f.setAttribute(name, text)
			return err
		}
	})
}

// readBooster reads a booster. Dart had another one within itself before 3.3, beside the weights of
// its trees; since then the weights are in the model.
func (f *file) readBooster(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "name":
			return func() error {
				booster, err := d.text()
				if f.booster != "dart" { // the one around gbtree
					f.booster = booster
				}
				return err
			}
		case "model":
			return func() error { return f.readModel(d) }
		case "gbtree":
			return func() error { return f.readBooster(d) }
		case "weight_drop":
			return d.floats(&f.forest.drop)
		}
		return nil
	})
}

func (f *file) readModel(d *decoding) error {
	o := &f.forest
	return d.members(func(name string) func() error {
		switch name {
		case "weights":
			return d.floats(&f.weights)
		case "gbtree_model_param":
			return func() error { return o.readParameters(d) }
		case "tree_info":
			return d.int32s(&o.group)
		case "iteration_indptr":
			return d.int32s(&o.rounds)
		case "weight_drop":
			return d.floats(&o.drop)
		case "cats":
			return func() error { return f.columns.readCategories(d) }
		case "trees":
			return func() error { return o.readTrees(d) }
		}
		return nil
	})
}

func (o *forest) readParameters(d *decoding) error {
	return d.members(func(name string) func() error {
		if name == "num_parallel_tree" {
			return d.parameter(&o.parallel)
		}
		return nil
	})
}

// treeSize bounds the memory that a tree takes beside its arrays: its struct, the functions that
// read its members, their names in paths.
const treeSize = 4 << 10

func (o *forest) readTrees(d *decoding) error {
	return d.elements(func(i int) error {
		if err := d.Take(treeSize); err != nil {
			return err
		}
		t := &fileTree{}
		err := d.within(element("", i), func() error { return t.read(d) })
		if err != nil {
			return err
		}
		o.trees, err = push(d.input, o.trees, t)
		return err
	})
}

func (t *fileTree) read(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "tree_param":
			return func() error {
				return d.members(func(name string) func() error {
					if name == "size_leaf_vector" {
						return d.parameter(&t.width)
					}
					return nil
				})
			}
		case "left_children":
			return d.int32s(&t.left)
		case "right_children":
			return d.int32s(&t.right)
		case "split_indices":
			// those of deleted nodes may have all bits set
			return integers(d, &t.feature, -1, math.MaxInt32)
		case "split_conditions":
			return d.floats(&t.cond)
		case "default_left":
			return integers(d, &t.defaultLeft, 0, 1)
		case "split_type":
			return integers(d, &t.kind, 0, 1)
		case "loss_changes":
			return d.floats(&t.gain)
		case "sum_hessian":
			return d.floats(&t.hessian)
		case "base_weights":
			return d.floats(&t.base)
		case "leaf_weights":
			return d.floats(&t.leaf)
		case "categories_nodes":
			return integers(d, &t.catNode, 0, math.MaxInt32)
		case "categories_segments":
			return integers(d, &t.catStart, 0, math.MaxInt32)
		case "categories_sizes":
			return integers(d, &t.catSize, 0, math.MaxInt32)
		case "categories":
			return integers(d, &t.cat, 0, mostCategories-1)
		}
		return nil
	})
}

// readCategories reads the texts of categories, since 3.1.
func (c *columns) readCategories(d *decoding) error {
	return d.members(func(name string) func() error {
		if name != "enc" {
			return nil
		}
		return func() error {
			return d.elements(func(i int) error {
				levels, err := readLevels(d)
				if err != nil {
					return err
				}
				c.categories, err = push(d.input, c.categories, levels)
				return err
			})
		}
	})
}

// readLevels reads the categories of a column. Texts have their bytes in one list, and offsets:
//
//	offsets   0      2  3      values   6f 6b 6e      ok, n
//
// Numbers are listed as they are, and become texts.
func readLevels(d *decoding) ([]string, error) {
	if err := d.Take(treeSize); err != nil {
		return nil, err
	}
	var offsets []int32
	var values []int64
	err := d.members(func(name string) func() error {
		switch name {
		case "offsets":
			return d.int32s(&offsets)
		case "values":
			return func() error {
				return d.array(func() error {
					x, err := d.integer()
					if err != nil {
						return err
					}
					values, err = push(d.input, values, x)
					return err
				})
			}
		}
		return nil
	})
	if err != nil || len(offsets) == 0 && len(values) == 0 {
		return nil, err
	}
	if len(offsets) > 0 {
		return levelTexts(d, offsets, values)
	}
	var levels []string
	for _, x := range values {
		if err := d.Take(textSize); err != nil {
			return nil, err
		}
		if levels, err = push(d.input, levels, strconv.FormatInt(x, 10)); err != nil {
			return nil, err
		}
	}
	return levels, nil
}

func levelTexts(d *decoding, offsets []int32, values []int64) (levels []string, err error) {
	if err := d.Take(int64(len(values))); err != nil {
		return nil, err
	}
	bytes := make([]byte, len(values))
	for i, x := range values {
		bytes[i] = byte(x) // signed or not
	}
	for i := 1; i < len(offsets); i++ {
		from, to := offsets[i-1], offsets[i]
		if from < 0 || to < from || int(to) > len(bytes) {
			return nil, d.corrupt("category %d is bytes %d to %d of %d", i-1, from, to, len(bytes))
		}
		text, err := d.texted(bytes[from:to])
		if err != nil {
			return nil, err
		}
		if levels, err = push(d.input, levels, text); err != nil {
			return nil, err
		}
	}
	return levels, nil
}
