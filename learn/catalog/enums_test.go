package catalog_test

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Every enum of every learner has the name and the values of its parameter: each name sets the
// field, which has that name as a text, and no other text is read.
func TestEnumsAreTheirParameters(t *testing.T) {
	found := 0
	for _, e := range catalog.Table() {
		l := e.New()
		fields := reflect.ValueOf(l).Elem()
		for _, f := range reflect.VisibleFields(fields.Type()) {
			if f.Type.PkgPath() != reflect.TypeFor[param.Set]().PkgPath() || !strings.HasPrefix(f.Type.Name(), "Enum[") {
				continue
			}
			name := parameterOf(f.Name)
			if l.Params().Lookup(name) == nil {
				continue // as logitboost, which is one variant of a learner
			}
			if f.Type == reflect.TypeFor[model.Output]() {
				continue // what models predict, of which a stack takes some
			}
			found++
			field := fields.FieldByIndex(f.Index)
			var what string
			err := field.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte("?"))
			if _, scan := fmt.Sscanf(err.Error(), "there is no %s", &what); scan != nil {
				t.Fatal(err)
			}
			_, names, _ := strings.Cut(err.Error(), "want ")
			for i, value := range strings.Split(names, "|") {
				err := l.Params().Set([]string{name + "=" + value})
				if err != nil || field.Uint() != uint64(i) || fmt.Sprint(field.Interface()) != value {
					t.Errorf("%s: %s=%s is %v (%d), %v", e.Name, name, value, field.Interface(), field.Uint(), err)
				}
			}
			if what != name {
				t.Errorf("%s.%s is called %q", e.Name, f.Name, what)
			}
		}
	}
	if found < 26 {
		t.Errorf("%d fields are enums", found)
	}
}

// No field of a learner that programs set takes one of a few texts: each such text would be an
// enum. Texts that are left have forms with numbers, names of columns or of classes.
func TestNoFieldIsOneOfSomeTexts(t *testing.T) {
	closed := regexp.MustCompile(`want [\w-]+(, [\w-]+)* or [\w-]+(;|$)`)
	found := 0
	for _, e := range catalog.Table() {
		l := e.New()
		var visit func(at string, v reflect.Value)
		visit = func(at string, v reflect.Value) {
			switch {
			case !v.CanSet():
			case v.Kind() == reflect.Struct:
				for i := range v.NumField() {
					visit(at+"."+v.Type().Field(i).Name, v.Field(i))
				}
			case v.Kind() == reflect.String:
				found++
				before := v.String()
				v.SetString("no such text")
				if err := l.Params().Validate(); err != nil && closed.MatchString(err.Error()) {
					t.Errorf("%s is a text, use an enum: %v", at, err)
				}
				v.SetString(before)
			}
		}
		visit(e.Name, reflect.ValueOf(l).Elem())
	}
	if found < 20 {
		t.Errorf("%d fields are texts", found)
	}
}

// The constants of criteria are those of the table.
func TestCriteria(t *testing.T) {
	names := append([]string{param.Auto}, criterion.Names()...)
	for i, name := range append(names, fmt.Sprintf("unknown(%d)", len(names))) {
		if got := learn.Criterion(i).String(); got != name {
			t.Errorf("criterion %d is %s, want %s", i, got, name)
		}
	}
}
