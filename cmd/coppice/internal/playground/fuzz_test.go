package playground

import (
	"encoding/json"
	"errors"
	"testing"
)

// Requests come from anywhere: none may end the process, and each gets JSON or a reason.
func FuzzAnswer(f *testing.F) {
	points := `"points":[{"x":0.1,"y":0.2},{"x":0.4,"y":0.3,"class":1},{"x":0.9,"y":0.8,"test":true}]`
	for i, m := range methods() {
		f.Add(uint8(2), `{"method":"`+m.Name+`",`+points+`,"shown":2}`)
		f.Add(uint8(3), `{"method":"`+m.Name+`",`+points+`,"settings":{"depth":3},"seed":7}`)
		f.Add(uint8(i), `{}`)
	}
	f.Add(uint8(1), `{"name":"moons","rows":9,"test":3,"noise":1}`)
	f.Add(uint8(1), `{"name":"steps","curve":true,"rows":9,"noise":0.5}`)
	f.Add(uint8(4), `{`+points+`}`)
	f.Add(uint8(5), `{"classes":[0,1,0,1,0,1,0,1,0,1],"rounds":8}`)
	f.Add(uint8(6), `{"shape":"wave","rows":10,"method":"tree","shown":3}`)
	f.Fuzz(func(t *testing.T, scene uint8, body string) {
		all := scenes()
		answer, err := New().Answer(t.Context(), all[int(scene)%len(all)].name, []byte(body))
		if bad := (*RequestError)(nil); err != nil && !errors.As(err, &bad) {
			t.Fatalf("an error that is not the request's: %v", err)
		}
		if err == nil && !json.Valid(answer) {
			t.Fatalf("no JSON: %.100s", answer)
		}
	})
}
