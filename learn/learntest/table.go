package learntest

import (
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// table makes a data set with the columns "num", "other" and "code" that the learner takes.
func (s suite) table(rows int) *data.Dataset {
	return restrict(table(rows, s.task, !s.needs.Complete), s.needs)
}

// table makes a data set with numeric and categorical columns that explain some of the target; they
// have infinities, and on request missing values. For the task data.Auto there is no label.
func table(rows int, task data.Task, missing bool) *data.Dataset {
	r := rng.New(11, uint64(rows))
	num, other, code := make([]float64, rows), make([]float64, rows), make([]uint32, rows)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task,
		Y: [][]float64{make([]float64, rows)}, Class: make([]uint32, rows)}}
	for i := range num {
		num[i], other[i], code[i] = float64(r.Intn(40)), r.Float64(), uint32(r.Intn(5))
		v := num[i]/8 + float64(code[i]) + 2*r.Float64()
		ds.Target.Y[0][i] = v
		ds.Target.Class[i] = uint32(min(2, int(v)/3))
		if task == data.Binary {
			ds.Target.Class[i] = uint32(min(1, int(v)/5))
		}
		switch draw := r.Intn(30); {
		case draw == 0 && missing:
			num[i] = math.NaN()
		case draw == 1 && missing:
			code[i] = data.MissingCode
		case draw == 2:
			other[i] = math.Inf(1)
		case draw == 3:
			other[i] = math.Inf(-1)
		}
	}
	switch task {
	case data.Auto:
		ds.Target = data.Target{}
	case data.Regression:
		ds.Target.Class = nil
	case data.Survival:
		ds.Target.Class, ds.Target.Event = nil, make([]uint8, rows)
		for i := range rows {
			ds.Target.Event[i] = uint8(min(1, r.Intn(4)))
		}
	default:
		ds.Target.Y = nil
		ds.Target.Classes = []string{"a", "b", "c"}
		if task == data.Binary {
			ds.Target.Classes = []string{"a", "b"}
		}
	}
	schema := data.Schema{Fields: []data.Field{{Name: "num"}, {Name: "other"},
		{Name: "code", Kind: data.Categorical,
			Levels: []string{"p", "q", "r", "s", "t", "absent"}}}}
	ds.Frame = mustFrame(schema, []data.Column{data.Numbers(num), data.Numbers(other),
		data.Codes(code)})
	return ds
}

// restrict makes numeric columns categorical where a learner takes no others: a level for each
// number from 0 to 39, one for all between 0 and 1, one for each infinity.
func restrict(ds *data.Dataset, needs learn.Needs) *data.Dataset {
	if !needs.Categorical {
		return ds
	}
	levels := []string{"+Inf", "-Inf"}
	for i := range 40 {
		levels = append(levels, strconv.Itoa(i))
	}
	schema := data.Schema{}
	var columns []data.Column
	for i, f := range ds.Schema.Fields {
		c := ds.Columns[i]
		if f.Kind == data.Numeric {
			f.Kind, f.Levels = data.Categorical, levels
			codes := make([]uint32, len(c.Numbers()))
			for row, x := range c.Numbers() {
				codes[row] = levelOf(x)
			}
			c = data.Codes(codes)
		}
		schema.Fields, columns = append(schema.Fields, f), append(columns, c)
	}
	return &data.Dataset{Frame: mustFrame(schema, columns), Target: ds.Target}
}

func levelOf(x float64) uint32 {
	switch {
	case math.IsNaN(x):
		return data.MissingCode
	case math.IsInf(x, 1):
		return 0
	case math.IsInf(x, -1):
		return 1
	}
	return 2 + uint32(x)
}

// turnLabels gives rows the opposite of their labels: the next class, or the number as far on the
// other side of the mean.
func turnLabels(t *data.Target, rows []int32) {
	mean := 0.0
	if t.Y != nil {
		for _, row := range rows {
			mean += t.Y[0][row] / float64(len(rows))
		}
	}
	for _, row := range rows {
		switch {
		case t.Y != nil:
			t.Y[0][row] = 2*mean - t.Y[0][row]
		case t.Class != nil:
			t.Class[row] = (t.Class[row] + 1) % uint32(len(t.Classes))
		}
	}
}

// setMissing takes a value out of a column.
func setMissing(c *data.Column, row int) {
	if c.Codes() != nil {
		c.Codes()[row] = data.MissingCode
	} else {
		c.Numbers()[row] = math.NaN()
	}
}

func mustFrame(s data.Schema, c []data.Column) *data.Frame {
	f, err := data.NewFrame(s, c)
	if err != nil {
		panic(err) // the suite's own tables are sound
	}
	return f
}

// Mixed makes a data set of two columns of numbers and one of the categories u, v and w, by their
// names. Each of them explains some of a number and of the classes no and yes. With noise the label
// does not depend on the columns.
func Mixed(rows int, task data.Task, noise bool, names [3]string) *data.Dataset {
	r := rng.New(5, uint64(rows))
	a, b, c := make([]float64, rows), make([]float64, rows), make([]uint32, rows)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task}}
	y, class := make([]float64, rows), make([]uint32, rows)
	for i := range rows {
		a[i], b[i], c[i] = r.Float64(), r.Float64(), uint32(r.Intn(3))
		y[i] = 3*a[i] + b[i] + float64(c[i]) + r.Float64()
		if noise {
			y[i] = 7 * r.Float64()
		}
		if y[i] > 3.5 {
			class[i] = 1
		}
	}
	if task == data.Regression {
		ds.Target.Y = [][]float64{y}
	} else {
		ds.Target.Class, ds.Target.Classes = class, []string{"no", "yes"}
	}
	schema := data.Schema{Fields: []data.Field{{Name: names[0]}, {Name: names[1]},
		{Name: names[2], Kind: data.Categorical, Levels: []string{"u", "v", "w"}}}}
	ds.Frame = mustFrame(schema, []data.Column{data.Numbers(a), data.Numbers(b), data.Codes(c)})
	return ds
}
