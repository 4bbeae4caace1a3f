package catboost

import (
	"math"
	"strconv"
)

// modelInfo reads what the file reports of its training.
func (j *scan) modelInfo(to *info) {
	j.Object(func(name string) {
		switch name {
		case "params", "loss_function", "class_params", "multiclass_params":
			j.infoJSON(name, to)
		case "catboost_version_info", "binclass_probability_threshold":
			if j.Next() != '"' {
				j.Skip()
				return
			}
			if err := to.set(j.in, name, j.text()); err != nil {
				j.Stop(err)
			}
		default:
			j.Skip()
		}
	})
}

// set keeps a text of a file.
func (to *info) set(in *source, name, text string) error {
	switch name {
	case "params", "loss_function", "class_params", "multiclass_params":
		if text == "" {
			return nil
		}
		if err := in.Take(int64(len(text))); err != nil {
			return err
		}
		j := newScan(in, []byte(text))
		j.infoJSON(name, to)
		j.End()
		return j.error()
	case "catboost_version_info":
		to.version = versionOf(text)
	case "binclass_probability_threshold":
		if x, err := strconv.ParseFloat(text, 64); err == nil && x > 0 && x < 1 {
			to.threshold = x
		}
	}
	return nil
}

// infoJSON reads one of the texts that are JSON; in JSON it stands there as it is, or as a text.
func (j *scan) infoJSON(name string, to *info) {
	if j.Next() == '"' {
		if err := to.set(j.in, name, j.text()); err != nil {
			j.Stop(err)
		}
		return
	}
	switch name {
	case "params":
		j.params(to)
	case "loss_function":
		j.loss(to)
	default:
		j.classes(to)
	}
}

func (j *scan) params(to *info) {
	j.Object(func(name string) {
		switch name {
		case "loss_function":
			j.loss(to)
		case "data_processing_options":
			j.Object(func(name string) {
				if name == "class_names" {
					j.labels(&to.params)
				} else {
					j.Skip()
				}
			})
		default:
			j.Skip()
		}
	})
}

func (j *scan) loss(to *info) {
	if j.Next() == '"' {
		to.loss = j.text()
		return
	}
	j.Object(func(name string) {
		if name == "type" {
			to.loss = j.text()
		} else {
			j.Skip()
		}
	})
}

func (j *scan) classes(to *info) {
	j.Object(func(name string) {
		switch name {
		case "class_names":
			j.labels(&to.names)
		case "class_to_label":
			j.labels(&to.labels)
		case "classes_count":
			to.count = int(j.Int(0, maxDims))
		default:
			j.Skip()
		}
	})
}

// labels reads names of classes: texts, or numbers, which are named by their digits.
func (j *scan) labels(to *[]string) {
	if j.Next() == 'n' { // null: none
		j.Skip()
		return
	}
	*to = nil
	j.Array(func(int) {
		switch b := j.Next(); {
		case b == '"':
			keep(j, to, j.text())
		case b == 't' || b == 'f':
			keep(j, to, strconv.FormatBool(j.Bool()))
		default:
			x := j.Float()
			j.take(32)
			digits := strconv.FormatFloat(x, 'g', -1, 64)
			if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
				digits = strconv.FormatFloat(x, 'f', -1, 64)
			}
			keep(j, to, digits)
		}
	})
}

// classNames returns the names of n classes; "0", "1", ... where the file has none.
func (i *info) classNames(n int) []string {
	names := i.names
	if len(names) == 0 && i.count == 0 {
		if names = i.labels; len(names) == 0 {
			names = i.params
		}
	}
	if len(names) == n {
		return names
	}
	names = make([]string, n)
	for c := range names {
		names[c] = strconv.Itoa(c)
	}
	return names
}
