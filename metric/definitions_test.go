package metric_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/metric"
)

// definition is a metric by its definition, in as plain a way as it can be written; a family has
// its number. NaN: it is undefined.
type definition func(s *metric.Sample, number float64) float64

// definitions has an entry for each name of metric.Names.
var definitions = map[string]definition{
	"accuracy": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 { return indicator(s.Label(i) == int(s.Class[i])) })
	},
	"error": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 { return indicator(s.Label(i) != int(s.Class[i])) })
	},
	"balanced_accuracy": func(s *metric.Sample, _ float64) float64 {
		sum, classes := 0.0, 0.0
		for c := range s.Width {
			if all := weightOf(s, func(i int) bool { return int(s.Class[i]) == c }); all > 0 {
				sum += weightOf(s, func(i int) bool { return int(s.Class[i]) == c && s.Label(i) == c }) / all
				classes++
			}
		}
		if classes < 2 {
			return math.NaN()
		}
		return sum / classes
	},
	"cost": func(s *metric.Sample, _ float64) float64 {
		if s.Costs == nil {
			return math.NaN()
		}
		return meanOf(s, func(i int) float64 { return s.Costs[s.Class[i]][s.Label(i)] })
	},
	"f1": func(s *metric.Sample, _ float64) float64 {
		tp, fp, fn, _ := outcomes(s)
		if tp+fn == 0 {
			return math.NaN()
		}
		if tp == 0 {
			return 0
		}
		precision, recall := tp/(tp+fp), tp/(tp+fn)
		return 2 / (1/precision + 1/recall)
	},
	"mcc": func(s *metric.Sample, _ float64) float64 { // the correlation of two indicators
		tp, fp, fn, tn := outcomes(s)
		all := tp + fp + fn + tn
		p, q := (tp+fn)/all, (tp+fp)/all
		if p == 0 || p == 1 {
			return math.NaN()
		}
		if q == 0 || q == 1 {
			return 0
		}
		return (tp/all - p*q) / math.Sqrt(p*(1-p)*q*(1-q))
	},
	"auc": func(s *metric.Sample, _ float64) float64 {
		won, all := 0.0, 0.0
		for i := range s.Class {
			for j := range s.Class {
				if positive(s, i) && !positive(s, j) {
					x, y := probability(s, i), probability(s, j)
					all += s.Weight[i] * s.Weight[j]
					won += s.Weight[i] * s.Weight[j] * (indicator(x > y) + indicator(x == y)/2)
				}
			}
		}
		return won / all
	},
	"roc_auc_ovr": againstRest(func(*metric.Sample, int) float64 { return 1 }),
	"roc_auc_ovr_weighted": againstRest(func(s *metric.Sample, c int) float64 {
		return weightOf(s, func(i int) bool { return int(s.Class[i]) == c })
	}),
	"top_k_accuracy@2": func(s *metric.Sample, _ float64) float64 { return topK(s, 2) },
	"top_k_accuracy@K": topK,
	"average_precision": func(s *metric.Sample, _ float64) float64 {
		area, before := 0.0, 0.0
		all := weightOf(s, func(i int) bool { return positive(s, i) })
		if all == 0 {
			return math.NaN()
		}
		for _, least := range thresholds(s) {
			above := func(i int) bool { return probability(s, i) >= least }
			hits := weightOf(s, func(i int) bool { return above(i) && positive(s, i) })
			if hits > 0 {
				area += hits / weightOf(s, above) * (hits - before) / all
			}
			before = hits
		}
		return area
	},
	"logloss": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 {
			sum, own := 0.0, 0.0
			for c, p := range s.Pred[i*s.Width : (i+1)*s.Width] {
				p = min(max(p, 0x1p-52), 1-0x1p-52)
				sum += p
				if c == int(s.Class[i]) {
					own = p
				}
			}
			return -math.Log(own / sum)
		})
	},
	"brier": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 {
			return math.Pow(probability(s, i)-indicator(positive(s, i)), 2)
		})
	},
	"rmse": func(s *metric.Sample, _ float64) float64 {
		return math.Sqrt(meanOf(s, func(i int) float64 { return math.Pow(s.Y[i]-s.Pred[i], 2) }))
	},
	"mae": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 { return math.Abs(s.Y[i] - s.Pred[i]) })
	},
	"r2": func(s *metric.Sample, _ float64) float64 {
		centre := meanOf(s, func(i int) float64 { return s.Y[i] })
		spread := meanOf(s, func(i int) float64 { return math.Pow(s.Y[i]-centre, 2) })
		if spread < 1e-20 {
			return math.NaN()
		}
		return 1 - meanOf(s, func(i int) float64 { return math.Pow(s.Y[i]-s.Pred[i], 2) })/spread
	},
	"mape": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 { return math.Abs(s.Y[i]-s.Pred[i]) / max(math.Abs(s.Y[i]), 0x1p-52) })
	},
	"rmsle": func(s *metric.Sample, _ float64) float64 {
		return math.Sqrt(meanOf(s, func(i int) float64 {
			return math.Pow(math.Log1p(s.Y[i])-math.Log1p(s.Pred[i]), 2)
		}))
	},
	"pinball": func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 {
			sum := 0.0
			for k, level := range s.Quantiles {
				sum += pinballLoss(level, s.Y[i], s.Pred[i*s.Width+k]) / float64(s.Width)
			}
			return sum
		})
	},
	"pinball@LEVEL": func(s *metric.Sample, level float64) float64 {
		return meanOf(s, func(i int) float64 { return pinballLoss(level, s.Y[i], s.Pred[i]) })
	},
	"poisson_deviance":       tweedie(1),
	"gamma_deviance":         tweedie(2),
	"tweedie_deviance@POWER": func(s *metric.Sample, power float64) float64 { return tweedie(power)(s, 0) },
	"ndcg@10":                ranking("ndcg", 10),
	"map@10":                 ranking("map", 10),
	"mrr":                    ranking("mrr", math.MaxInt32),
	"ndcg@K":                 func(s *metric.Sample, k float64) float64 { return ranking("ndcg", int(k))(s, 0) },
	"map@K":                  func(s *metric.Sample, k float64) float64 { return ranking("map", int(k))(s, 0) },
	"concordance": func(s *metric.Sample, _ float64) float64 {
		return concordanceOfPairs(s, func(i int) float64 {
			if s.Event[i] == 0 {
				return math.Inf(1)
			}
			return s.Y[i]
		})
	},
}

// againstRest is the mean over classes of the fraction of pairs of a row of the class and another
// one in which the first has the greater probability of the class.
func againstRest(weight func(s *metric.Sample, class int) float64) definition {
	return func(s *metric.Sample, _ float64) float64 {
		sum, classes := 0.0, 0.0
		for c := range s.Width {
			won, all := 0.0, 0.0
			for i := range s.Class {
				for j := range s.Class {
					if int(s.Class[i]) == c && int(s.Class[j]) != c {
						x, y := s.Pred[i*s.Width+c], s.Pred[j*s.Width+c]
						all += s.Weight[i] * s.Weight[j]
						won += s.Weight[i] * s.Weight[j] * (indicator(x > y) + indicator(x == y)/2)
					}
				}
			}
			if all > 0 {
				sum, classes = sum+won/all*weight(s, c), classes+weight(s, c)
			}
		}
		return sum / classes
	}
}

// topK sorts the classes of each row.
func topK(s *metric.Sample, k float64) float64 {
	return meanOf(s, func(i int) float64 {
		order := make([]int, s.Width)
		for c := range order {
			order[c] = c
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Pred[i*s.Width+b], s.Pred[i*s.Width+a]) })
		return indicator(slices.Contains(order[:min(int(k), s.Width)], int(s.Class[i])))
	})
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func weightOf(s *metric.Sample, of func(i int) bool) float64 {
	sum := 0.0
	for i, w := range s.Weight {
		sum += w * indicator(of(i))
	}
	return sum
}

func meanOf(s *metric.Sample, of func(i int) float64) float64 {
	sum := 0.0
	for i, w := range s.Weight {
		sum += w * of(i)
	}
	return sum / weightOf(s, func(int) bool { return true })
}

func positive(s *metric.Sample, i int) bool { return (s.Class[i] == 0) == s.FirstPositive }

func probability(s *metric.Sample, i int) float64 {
	return s.Pred[2*i+int(indicator(!s.FirstPositive))]
}

// thresholds returns the probabilities of the positive class, from the highest down.
func thresholds(s *metric.Sample) []float64 {
	var all []float64
	for i := range s.Class {
		all = append(all, probability(s, i))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	slices.Reverse(all)
	return all
}

func outcomes(s *metric.Sample) (tp, fp, fn, tn float64) {
	labeled := func(i int) bool { return (s.Label(i) == 0) == s.FirstPositive }
	count := func(is, called bool) float64 {
		return weightOf(s, func(i int) bool { return positive(s, i) == is && labeled(i) == called })
	}
	return count(true, true), count(false, true), count(true, false), count(false, false)
}

func pinballLoss(level, y, x float64) float64 {
	if y >= x {
		return level * (y - x)
	}
	return (1 - level) * (x - y)
}

// tweedie is twice the integral from x to y of (y - u) / u^power, by Simpson's rule in log(u).
func tweedie(power float64) definition {
	return func(s *metric.Sample, _ float64) float64 {
		return meanOf(s, func(i int) float64 {
			const steps = 2000
			from, y := math.Log(s.Pred[i]), s.Y[i]
			h := (math.Log(y) - from) / steps
			sum := 0.0
			for k := range steps + 1 {
				u := math.Exp(from + h*float64(k))
				factor := 2 + 2*float64(k%2)
				if k == 0 || k == steps {
					factor = 1
				}
				sum += factor * (y - u) * math.Pow(u, 1-power)
			}
			return 2 * sum * h / 3
		})
	}
}

// ranking is the mean over the groups with a relevant row, of the mean over all orders of rows of
// equal predictions.
func ranking(stem string, k int) definition {
	return func(s *metric.Sample, _ float64) float64 {
		members := map[int64][]int{}
		for i, g := range s.Group {
			members[g] = append(members[g], i)
		}
		sum, groups := 0.0, 0.0
		for _, rows := range members {
			if !slices.ContainsFunc(rows, func(i int) bool { return s.Y[i] > 0 }) {
				continue
			}
			own, orders := 0.0, 0.0
			eachOrder(rows, s.Pred, func(order []int) {
				var grade []float64
				for _, i := range order {
					grade = append(grade, s.Y[i])
				}
				own += ofOrder(nil, stem, grade, k)
				orders++
			})
			sum, groups = sum+own/orders, groups+1
		}
		return sum / groups
	}
}

// drawn returns a sample of a task. Its numbers are those for which metrics are defined: labels and
// predictions above 0, a class of each kind in most.
func drawn(t *rapid.T, task data.Task, quantiles bool) *metric.Sample {
	s := &metric.Sample{Width: 1}
	n := rapid.IntRange(2, 12).Draw(t, "rows")
	switch task {
	case data.Binary, data.Anomaly, data.Multiclass:
		s.Width = 2 + int(indicator(task == data.Multiclass))
		s.FirstPositive = rapid.Bool().Draw(t, "first positive")
		if task != data.Anomaly && rapid.Bool().Draw(t, "with costs") {
			for i := range s.Width {
				s.Costs = append(s.Costs, rapid.SliceOfN(rapid.Float64Range(0.5, 3), s.Width, s.Width).Draw(t, "costs"))
				s.Costs[i][i] = 0
			}
		}
		s.Class = rapid.SliceOfN(rapid.Uint32Range(0, uint32(s.Width-1)), n, n).Draw(t, "classes")
		for range n {
			total := 0.0
			p := make([]float64, s.Width)
			for c := range p {
				p[c] = float64(rapid.IntRange(0, 4).Draw(t, "fifth"))
				total += p[c]
			}
			for c := range p {
				p[c] = (p[c] + 0.25) / (total + 0.25*float64(len(p)))
			}
			s.Pred = append(s.Pred, p...)
		}
	default:
		if quantiles {
			s.Quantiles = []float64{0.1, 0.5, 0.7}
			s.Width = 3
		}
		number := rapid.Map(rapid.IntRange(1, 24), func(i int) float64 { return float64(i) / 8 })
		s.Y = rapid.SliceOfN(number, n, n).Draw(t, "labels")
		s.Pred = rapid.SliceOfN(number, n*s.Width, n*s.Width).Draw(t, "predictions")
	}
	switch task {
	case data.Ranking:
		for i := range s.Y {
			s.Y[i], s.Group = max(0, math.Floor(s.Y[i]*2)-2), append(s.Group, int64(i/5))
			s.Pred[i] = math.Floor(s.Pred[i] * 2)
		}
	case data.Survival:
		s.Event = rapid.SliceOfN(rapid.Uint8Range(0, 1), n, n).Draw(t, "events")
		s.Risk = rapid.Bool().Draw(t, "hazards")
	}
	for range n {
		w := 1.0
		if task != data.Ranking { // whose groups have weights
			w = float64(rapid.IntRange(1, 4).Draw(t, "weight")) / 2
		}
		s.Weight = append(s.Weight, w)
	}
	return s
}

// TestDefinitions compares every metric that can be named with its definition.
func TestDefinitions(t *testing.T) {
	numbers := map[string]string{"K": "3", "LEVEL": "0.3", "POWER": "1.4"}
	names := metric.Names()
	for _, name := range names {
		want, ok := definitions[name]
		if !ok {
			t.Errorf("%s has no definition: add it to definitions", name)
			continue
		}
		called, number := name, 0.0
		if stem, letters, family := strings.Cut(name, "@"); family && numbers[letters] != "" {
			called = stem + "@" + numbers[letters]
			number, _ = strconv.ParseFloat(numbers[letters], 64)
		}
		m, ok := metric.Lookup(called)
		if !ok {
			t.Fatalf("no metric %s", called)
		}
		for _, task := range m.Tasks {
			t.Run(name+" of "+task.String(), func(t *testing.T) { checkDefinition(t, &m, task, want, number) })
		}
	}
	for name := range definitions {
		if !slices.Contains(names, name) {
			t.Errorf("%s is defined and no metric", name)
		}
	}
}

func checkDefinition(t *testing.T, m *metric.Metric, task data.Task, want definition, number float64) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t, task, m.Name == "pinball")
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		got, err := m.Func(s)
		if undefined := (*metric.Undefined)(nil); errors.As(err, &undefined) {
			if value := want(s, number); !math.IsNaN(value) || got != 0 {
				t.Fatalf("%v and %v, want %v", got, err, value)
			}
			return
		}
		value := want(s, number)
		if err != nil || !math.IsNaN(value) && !(math.Abs(got-value) <= 1e-9*max(1, math.Abs(value))) {
			t.Fatalf("got %v (%v), want %v", got, err, value)
		}
		if !math.IsNaN(value) {
			compared++
		}
	})
	if compared < tier.Count(5, 20, 20) {
		t.Errorf("only %d samples have a value", compared)
	}
}

// TestOutcomes compares what Outcomes compute, by which thresholds are chosen, with the metrics of
// the same names.
func TestOutcomes(t *testing.T) {
	all := map[string]func(metric.Outcomes) float64{
		"accuracy": metric.Outcomes.Accuracy, "balanced_accuracy": metric.Outcomes.BalancedAccuracy,
		"f1": metric.Outcomes.F1, "mcc": metric.Outcomes.MCC,
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t, data.Binary, false)
		var o metric.Outcomes
		for i := range s.Class {
			o.Add(positive(s, i), (s.Label(i) == 0) == s.FirstPositive, s.Weight[i])
		}
		if want := o.TP / weightOf(s, func(i int) bool { return positive(s, i) }); !math.IsNaN(want) && o.Recall() != want {
			t.Fatalf("recall is %v, want %v", o.Recall(), want)
		}
		for name, of := range all {
			want, got := definitions[name](s, 0), of(o)
			if !math.IsNaN(want) && !math.IsNaN(got) && math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s of outcomes is %v, want %v", name, got, want)
			}
		}
	})
}
