package catboost

import (
	"math"
	"strconv"
)

// infoScan reads what a file reports of its training.
type infoScan struct {
	*scan
	to *info
}

// all reads the member of a file in JSON.
func (j infoScan) all() {
	j.Object(func(name string) {
		switch name {
		case "params", "loss_function", "class_params", "multiclass_params":
			j.json(name)
		case "catboost_version_info", "binclass_probability_threshold":
			if j.Next() != '"' {
				j.Skip()
				return
			}
			j.to.set(name, j.Text())
		default:
			j.Skip()
		}
	})
}

// set keeps a text that is not JSON.
func (to *info) set(name, text string) {
	switch name {
	case "catboost_version_info":
		to.version = versionOf(text)
	case "binclass_probability_threshold":
		if x, err := strconv.ParseFloat(text, 64); err == nil && x > 0 && x < 1 {
			to.threshold = x
		}
	}
}

// json reads one of the members that are JSON. It stands there as it is, or as a text.
func (j infoScan) json(name string) {
	if j.Next() == '"' {
		if text := j.Text(); text != "" {
			inner := infoScan{j.in.inner(text), j.to}
			inner.json(name)
			inner.End()
			j.adopt(inner.scan)
		}
		return
	}
	switch name {
	case "params":
		j.params()
	case "loss_function":
		j.loss()
	default:
		j.classes()
	}
}

func (j infoScan) params() {
	j.Object(func(name string) {
		switch name {
		case "loss_function":
			j.loss()
		case "data_processing_options":
			j.Object(func(name string) {
				if name == "class_names" {
					j.labels(&j.to.params)
				} else {
					j.Skip()
				}
			})
		default:
			j.Skip()
		}
	})
}

func (j infoScan) loss() {
	if j.Next() == '"' {
		j.to.loss = j.Text()
		return
	}
	j.Object(func(name string) {
		if name == "type" {
			j.to.loss = j.Text()
		} else {
			j.Skip()
		}
	})
}

func (j infoScan) classes() {
	j.Object(func(name string) {
		switch name {
		case "class_names":
			j.labels(&j.to.names)
		case "class_to_label":
			j.labels(&j.to.labels)
		case "classes_count":
			j.to.count = int(j.Int(0, maxDims))
		default:
			j.Skip()
		}
	})
}

// labels reads names of classes: texts, or numbers, which are named by their digits.
func (j infoScan) labels(to *[]string) {
	if j.Next() == 'n' { // null: none
		j.Skip()
		return
	}
	*to = nil
	j.Array(func(int) {
		switch b := j.Next(); {
		case b == '"':
			keep(j.scan, to, j.Text())
		case b == 't' || b == 'f':
			keep(j.scan, to, strconv.FormatBool(j.Bool()))
		default:
			x := j.Finite()
			j.Take(32)
			digits := strconv.FormatFloat(x, 'g', -1, 64)
			if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
				digits = strconv.FormatFloat(x, 'f', -1, 64)
			}
			keep(j.scan, to, digits)
		}
	})
}
