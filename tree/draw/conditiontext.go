package draw

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// Condition returns the words of the branch from inner node n to child, one of its children:
//
//	petal_length <= 2.45                             Numeric
//	day <= 2022-10-05                                Numeric, of days since a date
//	age known, age missing                           Numeric at +Inf
//	job = clerk, job != clerk                        SetFirst, SetLast
//	job in {a, b, c, +7 more}, job not in {a, b, c, +7 more}
//	job = clerk, job = smith, job = teacher          ByCode
//	0.3 x1 - 1.2 x2 <= 4                             Oblique
//	distance to (x1 = 2, x2 = 3) <= 1.5              Sphere
//
// Of a set and its complement the words list the shorter, so a set test never lists more than half
// of the levels. A category that was not in the training data takes the branch opposite to the set.
// That branch ends in "or unseen" where the words list the complement and the schema's policy
// allows such categories. At a ByCode node an unseen category counts as missing.
//
// A Sphere node compares the square of the distance. The words give the distance itself, the square
// root of the node's split point; for a split point below 0 they are "squared distance".
//
// Every node has a rule for missing values, used or not. Their branch ends in "or missing" if three
// things hold: the rule names one child, the schema's policy allows missing values, and the child
// is not the usual one. The usual one is the child with the most training weight, the first of
// equals or where the tree has no statistics. Text describes the rules that name no single child:
// surrogates, division among the branches, and stopping at the node.
func Condition(t *tree.Tree, n, child int32, names Names) string {
	q := newQuestion(t, n, &names, full)
	return q.branch(child)
}

// wording bounds the length of a question in words.
type wording struct {
	le     string // the sign for "at most"
	digits int    // of split points
	levels int    // levels, or terms of a direction, listed at most
	runes  int    // of those listed together; one is always listed
	each   int    // runes of one level or name; 0 = all
}

// full is the wording of Condition.
var full = wording{le: "<=", digits: splitDigits, levels: 8, runes: 60}

// question is the test of an inner node in words. Rows that fulfil it go to the child yes.
type question struct {
	subject   string // "petal_length"
	is, isNot string // " <= 2.45", " > 2.45"; none at ByCode nodes
	yes, no   int32
	// the level that leads to a child of a ByCode node, nil elsewhere
	level func(child int32) string
	// child whose words must mention unseen categories, -1 = none
	unseen  int32
	missing int32 // child whose words must mention missing values, -1 = none
}

// newQuestion returns the test of inner node n in words.
func newQuestion(t *tree.Tree, n int32, names *Names, w wording) question {
	first, last := t.Child(n), t.Child(n)+t.Arity(n)-1
	q := question{yes: first, no: last, unseen: -1, missing: unusual(t, n, names)}
	switch feature := t.Feature(n); t.Kind(n) {
	case tree.SetFirst, tree.SetLast:
		if t.Kind(n) == tree.SetLast {
			q.yes, q.no = q.no, q.yes
		}
		q.setTest(feature, t.Set(n), names, w)
	case tree.ByCode:
		q.subject = names.feature(feature)
		q.level = func(child int32) string {
			return truncate(word(names.levelText(feature, uint32(child-first))), w.each)
		}
	case tree.Oblique:
		q.subject = names.sum(t.SplitOf(n).Direction, w)
		q.compare(t.SplitPoint(n), w)
	case tree.Sphere:
		q.sphereTest(t.SplitOf(n).Direction, t.SplitPoint(n), names, w)
	default:
		var point string
		q.subject, point = names.comparison(feature, t.SplitPoint(n), w.digits)
		q.is, q.isNot = " "+w.le+" "+point, " > "+point
		if testsMissing(t, n) {
			q.is, q.isNot = " known", " missing"
		}
	}
	return q
}

// compare tests whether the subject is at most a split point.
func (q *question) compare(splitPoint float64, w wording) {
	text := humanize.SplitPoint(splitPoint, w.digits)
	q.is, q.isNot = " "+w.le+" "+text, " > "+text
}

// setTest tests whether the category of a feature is in a set, to which the child yes belongs, or,
// where that is shorter, in its complement.
func (q *question) setTest(feature int32, set []uint64, names *Names, w wording) {
	q.subject = names.feature(feature)
	field := names.field(feature)
	known := uint32(64 * len(set))
	if field != nil && len(field.Levels) > 0 {
		known = uint32(len(field.Levels))
	}
	in := uint32(0)
	for code := range known {
		if tree.InSet(set, code) {
			in++
		}
	}
	size, listed := in, true
	if out := known - in; field != nil && len(field.Levels) > 0 && out > 0 && out < in {
		size, listed = out, false
		q.yes, q.no = q.no, q.yes
		if field.Unseen == data.Learned {
			q.unseen = q.yes
		}
	}
	list := listLevels(feature, names, size, w, func(code uint32) bool {
		return tree.InSet(set, code) == listed
	})
	if size == 1 {
		q.is, q.isNot = " = "+list, " != "+list
		return
	}
	q.is, q.isNot = " in {"+list+"}", " not in {"+list+"}"
}

// listLevels writes the size levels of a feature that has holds for, in the order of the
// dictionary, as far as the wording allows.
func listLevels(
	feature int32, names *Names, size uint32, w wording, has func(code uint32) bool,
) string {
	var b strings.Builder
	done, runes := uint32(0), 0
	for code := uint32(0); done < size; code++ {
		if !has(code) {
			continue
		}
		level := truncate(word(names.levelText(feature, code)), w.each)
		runes += utf8.RuneCountInString(level)
		rest := size - done
		// "+1 more" would be as long as the one level that it hides.
		if done > 0 && rest > 1 && (int(done) >= w.levels || runes > w.runes) {
			b.WriteString(", +" + strconv.Itoa(int(rest)) + " more")
			break
		}
		if done > 0 {
			b.WriteString(", ")
		}
		b.WriteString(level)
		done++
	}
	return b.String()
}

// testsMissing reports whether inner node n separates the known values from the missing ones.
func testsMissing(t *tree.Tree, n int32) bool {
	return t.Kind(n) == tree.Numeric && math.IsInf(t.SplitPoint(n), 1) &&
		t.Missing(n) == tree.MissingLast
}

// truncate shortens a text to most characters, an ellipsis included; 0 keeps it.
func truncate(text string, most int) string {
	if r := []rune(text); most > 0 && len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// The words of a branch for values that its test does not cover.
const (
	orUnseen  = " or unseen"
	orMissing = " or missing"
)

// branch returns the words of the branch to a child.
func (q *question) branch(child int32) string {
	words := q.subject + q.isNot
	switch {
	case q.level != nil:
		words = q.subject + " = " + q.level(child)
	case child == q.yes:
		words = q.subject + q.is
	}
	if child == q.unseen {
		words += orUnseen
	}
	if child == q.missing {
		words += orMissing
	}
	return words
}

// predicate returns the test of the subject, "" at ByCode nodes, whose branches have the levels.
// Words about missing values stand at the branches.
func (q *question) predicate() string {
	predicate := strings.TrimPrefix(q.is, " ")
	if q.unseen == q.yes {
		predicate += orUnseen
	}
	return predicate
}

// text returns the question as pictures put it above branches that are marked with the answers.
func (q *question) text() string { return strings.TrimSuffix(q.subject+" "+q.predicate(), " ") }

// answer returns the mark of the branch to a child: yes, no or a level, and whether missing values
// take it.
func (q *question) answer(child int32) string {
	words := "no"
	switch {
	case q.level != nil:
		words = q.level(child)
	case child == q.yes:
		words = "yes"
	}
	if child == q.missing {
		words += ", missing"
	}
	return words
}
