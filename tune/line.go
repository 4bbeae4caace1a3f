package tune

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// The lines of a study below its header, each an object of JSON. TOKEN names a search, and PROCESS
// is what replace.Process returned there.
//
//	{"joined":TOKEN,"process":PROCESS,"crc32c":"1c291ca3"}
//	{"claim":TOKEN,"trial":3,"fold":0,"crc32c":"..."}
//	{"trial":3,"fold":0,"learner":"gbm","settings":["depth=4"],"test":0.31,"seconds":1,"crc32c":...}
//	{"left":TOKEN,"crc32c":"..."}
type (
	joined struct {
		Token   string `json:"joined"`
		Process string `json:"process"`
	}
	claim struct {
		Token string `json:"claim"`
		place
	}
	result struct {
		place
		Learner  string   `json:"learner"`
		Settings []string `json:"settings"`
		Test     value    `json:"test"` // 0 if there is an error
		Seconds  float64  `json:"seconds"`
		Error    string   `json:"error,omitempty"`
	}
	left struct {
		Token string `json:"left"`
	}
)

// place is a fold of a trial, which one training and one test belong to.
type place struct {
	Trial int `json:"trial"`
	Fold  int `json:"fold"`
}

// entry reads a line of any kind.
type entry struct {
	Joined  string `json:"joined"`
	Process string `json:"process"`
	Claim   string `json:"claim"`
	Left    string `json:"left"`
	result
}

// value is a metric. JSON has no numbers for infinite and undefined ones, so they are texts there.
type value float64

func (v value) MarshalJSON() ([]byte, error) {
	if x := float64(v); x-x != 0 {
		return json.Marshal(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return json.Marshal(float64(v))
}

func (v *value) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*v = value(x)
	return err
}

// sumEnd is the end of each line: the CRC-32C of all bytes before it, as the last member.
const sumEnd = `,"crc32c":"%08x"}` + "\n"

// sumSize is the length of sumEnd in a file.
const sumSize = len(sumEnd) - len("%08x") + 8

// summed returns the line of an object, with its checksum.
func summed(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	return fmt.Appendf(line, sumEnd, kernel.Checksum(0, line)), nil
}

// intact reports whether a line is as summed returned it.
func intact(line []byte) bool {
	n := len(line) - sumSize
	return n > 0 && string(line[n:]) == fmt.Sprintf(sumEnd, kernel.Checksum(0, line[:n]))
}

// readEntry reads a line; it is nil if the line is damaged.
func readEntry(line []byte) *entry {
	var e entry
	if !intact(line) || json.Unmarshal(line, &e) != nil {
		return nil
	}
	return &e
}
