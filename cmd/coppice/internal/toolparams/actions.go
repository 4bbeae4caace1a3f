package toolparams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// set is a parameter of gbm that has the same values.
func set(name string) action {
	return setAs(name, func(text string) (string, error) { return text, nil })
}

// setAs is a parameter of gbm whose values are converted; "" = it is left as it is.
func setAs(name string, convert func(text string) (string, error)) action {
	return action{"`set." + name + "`", func(v Value, _ *given) ([]Item, error) {
		text, err := one(v)
		if err != nil {
			return nil, err
		}
		if text, err = convert(text); err != nil || text == "" {
			return []Item{}, err
		}
		return []Item{{Key: "set." + name, Text: text}}, nil
	}}
}

// flag is a flag of train that has the same values.
func flag(name string) action {
	return action{"`--" + name + "`", func(v Value, _ *given) ([]Item, error) {
		text, err := one(v)
		return []Item{{Key: name, Text: text}}, err
	}}
}

// flagAbove is a flag for numbers above 0; smaller ones stand for the default.
func flagAbove(name string) action {
	return action{"`--" + name + "`", func(v Value, _ *given) ([]Item, error) {
		text, err := one(v)
		if x, wrong := strconv.Atoi(text); err != nil || wrong == nil && x <= 0 {
			return []Item{}, err
		}
		return []Item{{Key: name, Text: text}}, nil
	}}
}

// ignored is left out with the reason of the row.
func ignored() action {
	return action{"left out", func(Value, *given) ([]Item, error) { return nil, nil }}
}

// refused is an error with the reason of the row.
func refused() action {
	return action{"refused", func(Value, *given) ([]Item, error) { return nil, refusal{} }}
}

// only is left out silently where it has one of some values, which are what is done here, and else
// refused with the reason of the row.
func only(values ...string) action {
	return action{"refused but for " + humanize.Or(values), func(v Value, _ *given) ([]Item, error) {
		text, err := one(v)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(values, func(x string) bool { return same(x, text) }) {
			return []Item{}, nil
		}
		return nil, refusal{}
	}}
}

// where is another action if a condition on all parameters holds, and else the parameter has no
// effect in the tool either.
func where(condition func(g *given) bool, then action) action {
	return action{then.Becomes, func(v Value, g *given) ([]Item, error) {
		if !condition(g) {
			return []Item{}, nil
		}
		return then.do(v, g)
	}}
}

// companion is read by the row of another parameter.
func companion(of string) action {
	return action{"with `" + of + "`", func(Value, *given) ([]Item, error) { return []Item{}, nil }}
}

// one returns the text of a value that is no list of several and no dictionary.
func one(v Value) (string, error) {
	switch {
	case v.Table != nil:
		return "", fmt.Errorf("want one value, and here is a dictionary")
	case v.List != nil && len(v.List) != 1:
		return "", fmt.Errorf("want one value, and here are %d", len(v.List))
	case v.List != nil:
		return v.List[0], nil
	}
	return v.Text, nil
}

// texts returns the items of a list, or of a text with commas between them.
func texts(v Value) []string {
	all := v.List
	if all == nil && v.Text != "" {
		all = strings.Split(strings.Trim(v.Text, "[]()"), ",")
	}
	var clean []string
	for _, text := range all {
		clean = append(clean, strings.TrimSpace(text))
	}
	return clean
}

// same reports whether texts are the same value: numbers by their size, switches by their meaning.
func same(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	x, wrongA := strconv.ParseFloat(a, 64)
	y, wrongB := strconv.ParseFloat(b, 64)
	if wrongA == nil && wrongB == nil {
		return x == y
	}
	s, wrongA := truth(a)
	u, wrongB := truth(b)
	if wrongA == nil && wrongB == nil {
		return s == u
	}
	return false
}

// truth reads a switch as tools write it.
func truth(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "+", "yes":
		return true, nil
	case "false", "0", "-", "no":
		return false, nil
	}
	return false, fmt.Errorf("%q: want true or false", text)
}

// whole writes a number that files may have as 31.0 without the zeros.
func whole(text string) (string, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x == float64(int64(x)) {
		return strconv.FormatInt(int64(x), 10), nil
	}
	return text, nil
}

// unlimited writes numbers up to 0, which stand for no limit, as 0.
func unlimited(text string) (string, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x <= 0 {
		return "0", nil
	}
	return whole(text)
}

// toggle writes a switch as true or false.
func toggle(text string) (string, error) {
	on, err := truth(text)
	return strconv.FormatBool(on), err
}

// lessOne counts one less: LightGBM's and XGBoost's limits count missing values as a category, or
// exclude the limit.
func lessOne(text string) (string, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no number", text)
	}
	return strconv.Itoa(max(0, int(x)-1)), nil
}

// named turns names of values into those used here. The error lists them.
func named(values map[string]string) func(string) (string, error) {
	return func(text string) (string, error) {
		if ours, ok := values[strings.ToLower(text)]; ok {
			return ours, nil
		}
		var known []string
		for name := range values {
			known = append(known, name)
		}
		slices.Sort(known)
		return "", fmt.Errorf("%q is none of %s", text, strings.Join(known, ", "))
	}
}

// metrics turns names of metrics into those used here. Metrics that are the loss are called loss,
// and those without a counterpart are "".
func metrics(known map[string]string, at string) action {
	return action{"`set.metric`", func(v Value, g *given) ([]Item, error) {
		var ours []string
		for _, name := range texts(v) {
			base, place, placed := strings.Cut(name, "@")
			if !placed {
				place, placed = "", false
				base, place = parameterOfMetric(base)
			}
			of, ok := known[strings.ToLower(base)]
			if !ok {
				return nil, fmt.Errorf("metric %q has no counterpart: choose one of coppice evaluate", name)
			}
			if of == "ndcg" || of == "map" {
				of += "@" + firstOf(place, strings.TrimRight(g.text(at, ""), "-"), "5")
			}
			if of != "" && !slices.Contains(ours, of) {
				ours = append(ours, of)
			}
		}
		if ours == nil {
			return []Item{}, nil
		}
		return []Item{{Key: "set.metric", Text: strings.Join(ours, ",")}}, nil
	}}
}

// parameterOfMetric divides CatBoost's NDCG:top=5.
func parameterOfMetric(name string) (base, place string) {
	base, options, _ := strings.Cut(name, ":")
	for option := range strings.SplitSeq(options, ";") {
		if key, value, _ := strings.Cut(option, "="); key == "top" {
			place = value
		}
	}
	return base, place
}

func firstOf(all ...string) string {
	for _, text := range all {
		if first, _, _ := strings.Cut(strings.Trim(text, "[]() "), ","); first != "" {
			return first
		}
	}
	return ""
}

// byName is a parameter of gbm that has values by the names of columns. The tool also takes a list
// by the order of columns, which is refused.
func byName(ours, separator string) action {
	return action{"`set." + ours + "`", func(v Value, _ *given) ([]Item, error) {
		if v.Table == nil && !slices.ContainsFunc(texts(v), func(text string) bool {
			return text != "" && !same(text, "0")
		}) {
			return []Item{}, nil // of no column
		}
		if v.Table == nil {
			return nil, fmt.Errorf("a list goes by order: use %s with names in the table set "+
				"of a file of ours, or --set", ours)
		}
		var pairs []string
		for _, p := range v.Table {
			pairs = append(pairs, p.Name+separator+p.Text)
		}
		return []Item{{Key: "set." + ours, Text: strings.Join(pairs, ",")}}, nil
	}}
}

// positiveWeight is the weight of the positive class, whose name is not in the file.
func positiveWeight() action {
	return action{"`set.class_weight`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil || same(text, "1") {
			return []Item{}, err
		}
		g.note(fmt.Sprintf("rows of class 1 count %s times: --set class_weight=NAME=%s names another "+
			"positive class", text, text))
		return []Item{{Key: "set.class_weight", Text: "1=" + text}}, nil
	}}
}
