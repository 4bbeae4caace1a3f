package cv

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tune"
)

// studyReport is the object that --json prints.
type studyReport struct {
	Model string `json:"model"`
	Label string `json:"label"`
	Seed  uint64 `json:"seed"`
	*tune.Study
	Test *eval.Report `json:"test,omitempty"` // of the model, by the rows of --test
}

func (o *search) report(s *tune.Study, tested *eval.Report) *studyReport {
	return &studyReport{Model: o.output, Label: o.Label, Seed: o.Seed, Study: s, Test: tested}
}

func (o *search) print(
	s *tune.Study, m model.Model, l learn.Learner, tested *eval.Report, paths []string,
) {
	failed, seconds := 0, 0.0
	for _, t := range s.Trials {
		seconds += t.Seconds
		if t.Error != "" {
			failed++
		}
	}
	trials := fmt.Sprintf("%d by %s on %d folds%s, seed %d, in %s s", len(s.Trials), o.sampler,
		s.Folds, tables.LeftOutWords(s.LeftOut), o.Seed, humanize.Number(seconds, 3))
	if failed > 0 {
		trials += fmt.Sprintf("; %d failed", failed)
	}
	o.Text(o.answer(s))
	if c := s.Comparison; c != nil {
		o.Text(verdict(s.Metric, c))
	}
	if tested != nil {
		o.Text(testWords("the model", tested))
	}
	o.Printf("\n")
	o.Facts(o.facts...)
	settings := describe.LearnerFact(m.Spec().Learner, l.Params())
	settings.Text = o.listed(strings.Split(settings.Text, " "), cli.FactWidth)
	o.Facts(cli.Fact{Name: "trials", Text: trials}, settings)
	describe.PrintStudy(o.Console, m.Spec().Study)
	o.Printf("\nThe model is in %s. To train it again:\n  %s\n", humanize.Name(o.output),
		o.again(paths, s))
}

// answer is the result in one sentence.
func (o *search) answer(s *tune.Study) string {
	best := s.Trials[s.Best]
	settings := o.listed(best.Settings, answered)
	if settings == "" {
		settings = "the default of " + humanize.Name(best.Learner)
	} else if slices.ContainsFunc(s.Trials, func(t tune.Trial) bool { return t.Learner != best.Learner }) {
		settings = humanize.Name(best.Learner) + " " + settings
	}
	text := fmt.Sprintf("The best of %s is %s: %s %s", humanize.Count(len(s.Trials), "trial", "trials"),
		settings, metric.Words(s.Metric), humanize.Metric(best.Mean()))
	if value := defaults(s); value != "" && best.Number > 0 {
		text += ", the default has " + value
	}
	return text + "."
}

// answered is the most characters of settings in the answer, which has two lines.
const answered = 100

// listed lists settings in so many characters; all of them with -v.
func (o *search) listed(settings []string, width int) string {
	if o.Verbose {
		return strings.Join(settings, " ")
	}
	return cli.Fitting(settings, " ", "more (-v)", width)
}

// verdict reports whether the search has beaten the defaults.
func verdict(name string, c *tune.Comparison) string {
	beaten, better := "The search beat the defaults:", "better"
	switch {
	case c.Gain == 0:
		return "The search did not beat the defaults."
	case c.Gain < 0:
		beaten, better = "The search did not beat the defaults:", "worse"
	case c.Lost:
		beaten = "The search did not beat the defaults beyond noise:"
	}
	return fmt.Sprintf("%s on folds that did not choose the trial, %s is %s by %s, with a standard "+
		"error of %s.", beaten, metric.Words(name), better, humanize.Metric(math.Abs(c.Gain)),
		humanize.Metric(c.Error))
}

// defaults returns the mean of the first trial, "" if it was not tested on all folds.
func defaults(s *tune.Study) string {
	for _, t := range s.Trials {
		if t.Number == 0 && t.Error == "" && len(t.Tests) == s.Folds {
			return humanize.Metric(t.Mean())
		}
	}
	return ""
}

// searching are the flags of this command that the training of one choice does without.
var searching = []string{"budget", "sampler", "study", "metric", "folds", "cv", "plan", "out", "picture",
	"learner", "learners", "set", "threads", "json", "verbose", "quiet", "progress"}

// again returns the command that trains what was chosen. Lines that are too long for the screen end
// in a backslash, before a flag.
func (o *search) again(paths []string, s *tune.Study) string {
	words := []string{"coppice", "train"}
	for _, path := range paths {
		if path != cli.QueryOperand { // the flag has the query
			words = append(words, path)
		}
	}
	o.given.Visit(func(f *pflag.Flag) {
		if slices.Contains(searching, f.Name) {
			return
		}
		words = append(words, given(f)...)
	})
	chosen := s.Trials[s.Chosen]
	name, preset, has := strings.Cut(chosen.Learner, ":")
	words = append(words, "--learner", name)
	if has {
		words = append(words, o.Several.PresetFlag(name, preset), preset)
	}
	for _, setting := range append(o.Several.Fixed(chosen.Learner), chosen.Settings...) {
		words = append(words, "--set", setting)
	}
	text, line := "", 0
	for i, w := range words {
		word := quoted(w)
		width := utf8.RuneCountInString(word)
		if strings.HasPrefix(w, "--") && i+1 < len(words) {
			width += 1 + utf8.RuneCountInString(quoted(words[i+1]))
		}
		switch {
		case i == 0:
		case strings.HasPrefix(w, "--") && line+1+width > cli.Width-4:
			text, line = text+" \\\n    ", 2
		default:
			text, line = text+" ", line+1
		}
		text, line = text+word, line+utf8.RuneCountInString(word)
	}
	return text
}

// given returns the words that give a flag its value.
func given(f *pflag.Flag) []string {
	name := "--" + f.Name
	list, many := f.Value.(pflag.SliceValue)
	switch {
	case many && f.Value.Type() == "stringArray": // --map a=b --map c=d
		var words []string
		for _, value := range list.GetSlice() {
			words = append(words, name, value)
		}
		return words
	case many: // values with a comma are in quotes: [a,"b,c"]
		text := f.Value.String()
		return []string{name, strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")}
	case f.NoOptDefVal == f.Value.String():
		return []string{name}
	case f.NoOptDefVal != "":
		return []string{name + "=" + f.Value.String()}
	}
	return []string{name, f.Value.String()}
}

// quoted writes a word as a shell reads it.
func quoted(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./=,:+%@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !safe(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// draw writes the picture of the trials, if the flags name a file.
func (o *search) draw(s *model.Study) error {
	if o.picture == "" {
		return nil
	}
	figure := plot.Figure(*training.StudyFigure(s, o.Label))
	file := cli.FileFlag{Path: o.picture}
	return file.Write(o.Console, func(w io.Writer) error { return figure.Write(w) })
}
