package learn

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Members are the learners that another one combines, by the names that distinguish them. As text:
//
//	forest,gbm                  two learners of the catalog, by their names or aliases
//	deep:cart,flat:cart         the same one twice, by names of one's own
//	forest,old:@spam.coppice    a learner, and a model of a file, which is trained already
//
// The parameters of a member are set as members.NAME.KEY: members.deep.depth=9.
type Members struct {
	List    []Member
	Resolve Resolve                       // as that of Choice
	Start   func(learner string) []string // as that of Choice
	// whether models that are trained already may be among them
	Trained bool
}

// Member is one of several: a learner, or a model.
type Member struct {
	Name    string // unique; the learner's name if the text has no other
	Learner Choice
	Model   model.Model // given by Go code instead of a learner
	File    string      // that a model is read from, instead of a learner
}

// ReadyMember is a member as a Prepare takes it: one of Learner and Model is set.
type ReadyMember struct {
	Name, Learned string // the member's name, and that of its learner
	Learner       Learner
	Model         model.Model
}

// MembersParam declares a parameter that chooses several learners; their own parameters are set as
// NAME.MEMBER.KEY.
func MembersParam(m *Members, name, def, help string) param.Param {
	syntax := "[NAME:]LEARNER,..."
	if m.Trained {
		syntax = "[NAME:]LEARNER|@FILE,..."
	}
	return param.Chosen(m, name, def, syntax, help)
}

// Chosen returns the members as text, and their parameters by MEMBER.KEY.
func (m *Members) Chosen() (string, param.Set) {
	var words []string
	var params param.Set
	for i := range m.List {
		one := &m.List[i]
		word := one.Learner.Name
		switch {
		case one.File != "":
			word = "@" + one.File
		case one.Model != nil || word == "":
			word = one.Name
		}
		if one.Name != word && one.Name != stem(one.File) {
			word = one.Name + ":" + word
		}
		words = append(words, word)
		if one.Model == nil && one.File == "" {
			_, own := one.Learner.Chosen()
			params = append(params, below(one.Name, one.Name, own)...)
		}
	}
	return strings.Join(words, ","), params
}

// below returns parameters by the names that they have below a member. Those below the alias of its
// learner, if it has one in the text, are aliases of them.
func below(member, alias string, params param.Set) param.Set {
	params = slices.Clone(params)
	for i, p := range params {
		params[i] = p.Below(member)
		if alias != member {
			also := p.Below(alias)
			params[i] = params[i].Also(also.Name).Also(also.Aliases...)
		}
	}
	return params
}

// stem is the name of a member that is read from a file and has no other: spam of
// models/spam.coppice.
func stem(file string) string {
	if file == "" {
		return ""
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Choose makes the members of a text. A member without a name of its own has that of its learner,
// even where the text has an alias.
func (m *Members) Choose(text string) (param.Set, func(), error) {
	words := strings.Split(text, ",")
	list := make([]Member, 0, len(words)) // never grows: stores refer to its elements
	var params param.Set
	var stores []func()
	for _, word := range words {
		one, err := m.parse(strings.TrimSpace(word))
		if err != nil {
			return nil, nil, err
		}
		list = append(list, one)
		member := &list[len(list)-1]
		if one.File == "" {
			name, own, store, err := member.Learner.choose(one.Learner.Name)
			if err != nil {
				return nil, nil, err
			}
			if one.Name == one.Learner.Name {
				member.Name = name
			}
			params = append(params, below(member.Name, one.Name, own)...)
			stores = append(stores, store)
		}
		if slices.ContainsFunc(list[:len(list)-1],
			func(o Member) bool { return o.Name == member.Name }) {
			what := cmp.Or(one.Learner.Name, "@"+one.File)
			return nil, nil, fmt.Errorf("two members are called %q: give them names, as in "+
				"a:%s,b:%s", member.Name, what, what)
		}
	}
	return params, func() {
		for _, store := range stores {
			store()
		}
		m.List = list
	}, nil
}

// parse reads one member.
func (m *Members) parse(word string) (Member, error) {
	name, what, named := strings.Cut(word, ":")
	if !named || strings.HasPrefix(word, "@") {
		name, what = word, word
	}
	one := Member{Name: name}
	if file, ok := strings.CutPrefix(what, "@"); ok {
		switch {
		case !m.Trained:
			return one, fmt.Errorf("%s: a model that is trained already may have seen the labels; "+
				"only vote takes one", what)
		case file == "":
			return one, errors.New("@ is followed by the name of a file")
		}
		if one.File = file; !named || strings.HasPrefix(word, "@") {
			one.Name = stem(file)
		}
		return one, nil
	}
	switch {
	case name == "" || what == "":
		return one, fmt.Errorf("a member has no name: write LEARNER, or NAME:LEARNER")
	case strings.ContainsAny(name, ".=:@+"):
		return one, fmt.Errorf("member %q: a name has none of . = : @ +", name)
	}
	one.Learner = Choice{Name: what, Resolve: m.Resolve, Start: m.Start}
	return one, nil
}

// Take returns the members for a Prepare: learners as Choice.Take does, models read by env.Open.
func (m *Members) Take(env Env) ([]ReadyMember, error) {
	if len(m.List) == 0 {
		return nil, errors.New("there is no member")
	}
	ready := make([]ReadyMember, len(m.List))
	for i := range m.List {
		one := &m.List[i]
		r := &ready[i]
		r.Name, r.Learned, r.Model = one.Name, one.Learner.Name, one.Model
		var err error
		switch {
		case one.Model != nil:
		case one.File != "" && env.Open == nil:
			err = fmt.Errorf("there is nothing to read the model %q with: give a Model", one.File)
		case one.File != "":
			r.Model, err = env.Open(one.File)
		default:
			var taken Choice
			taken, err = one.Learner.Take(env)
			r.Learned, r.Learner = taken.Name, taken.Learner
		}
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", one.Name, err)
		}
		if r.Model != nil {
			r.Learned = r.Model.Spec().Learner
		}
	}
	return ready, nil
}

// Capabilities returns what the members require of one table together, and what they use a
// validation set for. Members that are trained already require nothing.
func (m *Members) Capabilities() Capabilities {
	var all Capabilities
	for i := range m.List {
		one := m.List[i].Learner.Capabilities()
		all.Needs = all.Needs.and(one.Needs)
		all.Validation = all.Validation.Or(one.Validation)
	}
	return all
}

// names returns the names of the members.
func (m *Members) names() []string {
	names := make([]string, len(m.List))
	for i := range m.List {
		names[i] = m.List[i].Name
	}
	return names
}

// Canonical returns a text of MemberWeightsParam or MemberColumnsParam with the names of members in
// place of aliases: rf=2 becomes forest=2. A learner's aliases stand for the member that has its
// name. A member with a name of its own has no other. Without Resolve no alias is known.
func (m *Members) Canonical(text string) string {
	if text == "" || m.Resolve == nil {
		return text
	}
	parts, err := param.SplitList(text, ',')
	if err != nil {
		return text // whose parsing reports the error
	}
	for i, part := range parts {
		alias, value, ok := param.CutSign(part, '=')
		alias = param.EntryName(alias)
		if !ok || slices.Contains(m.names(), alias) {
			continue
		}
		name, _, err := m.Resolve(alias)
		if err == nil && slices.ContainsFunc(m.List, func(o Member) bool {
			return o.Name == name && o.Learner.Name == name
		}) {
			parts[i] = name + "=" + value
		}
	}
	return strings.Join(parts, ",")
}
