package codectest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// Damage reads a file of a format damaged in many ways, which must be one that the format reads:
// cut off at each byte, and with random changes (see Mutate). Behaves describes what is checked.
//
// The environment variable COPPICE_MUTANTS is the number of mutations, and all prefixes are read
// then. COPPICE_PART divides this work, which takes hours for large files: of each file, 2/8
// reads the second of eight parts, an eighth of the prefixes and of the mutations.
// COPPICE_STRIDE, such as 16, reads every sixteenth prefix only. Without COPPICE_MUTANTS there
// are as many of each as a sixteenth of a megabyte makes, by night a quarter, 500 at most. Half of
// the prefixes end between two tokens then, the others anywhere.
func Damage(t *testing.T, f codec.Format, b []byte) {
	t.Helper()
	part, parts := share(t)
	d := damage{t: t, random: rand.New(rand.NewPCG(uint64(part), uint64(len(b)))), part: part, parts: parts}
	d.read(fileInput(f, b), "the whole file")
	if d.models == 0 {
		t.Fatal("the file is no model")
	}
	d.file(b, effort(len(b)), func(b []byte) *damaged { return fileInput(f, b) })
	d.report(len(b))
}

// DamageFS is Damage for a format whose models are folders. It damages one file at a time.
func DamageFS(t *testing.T, f codec.Format, files fstest.MapFS) {
	t.Helper()
	part, parts := share(t)
	d := damage{t: t, random: rand.New(rand.NewPCG(uint64(part), 2)), part: part, parts: parts}
	whole := folderInput(f, files)
	d.read(whole, "the whole folder")
	if d.models == 0 {
		t.Fatal("the folder is no model")
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name].Data
		if len(b) == 0 {
			continue
		}
		// As many mutations as of a file of the folder's size; prefixes need the whole folder, too.
		e := effort(int(whole.size))
		e.mutations = 1 + e.mutations*len(b)/int(whole.size)
		other := maps.Clone(files)
		d.file(b, e, func(b []byte) *damaged {
			other[name] = &fstest.MapFile{Data: b}
			return folderInput(f, other)
		})
	}
	d.report(int(whole.size))
}

// plan is what is tried of a file.
type plan struct {
	stride    int // from one prefix to the next; 0 = none, but random prefixes
	prefixes  int // which are so many
	mutations int
}

// effort returns what to try of so many bytes.
func effort(size int) plan {
	if n, err := strconv.Atoi(os.Getenv("COPPICE_MUTANTS")); err == nil && n > 0 {
		stride, err := strconv.Atoi(os.Getenv("COPPICE_STRIDE"))
		if err != nil {
			stride = 1
		}
		return plan{stride: max(1, stride), mutations: n}
	}
	bytes := tier.Count(1<<16, 1<<16, 1<<18) // to read, in each of the two ways
	n := max(3, min(500, bytes/max(1, size)))
	p := plan{prefixes: n, mutations: n}
	if int64(size)*int64(size)/2 <= int64(bytes) {
		p.stride = 1
	}
	return p
}

// share returns the number of a part, from 1, and how many there are: 1 of 1 without COPPICE_PART.
func share(t *testing.T) (part, parts int) {
	text := os.Getenv("COPPICE_PART")
	if text == "" {
		return 1, 1
	}
	if _, err := fmt.Sscanf(text, "%d/%d", &part, &parts); err != nil || part < 1 || part > parts {
		t.Fatalf("COPPICE_PART is %q, want a part such as 2/8", text)
	}
	return part, parts
}

// damage counts what was tried.
type damage struct {
	t                           *testing.T
	random                      *rand.Rand
	part, parts                 int // of the work: one from 1, and how many
	prefixes, mutations, models int
	slowest                     time.Duration // to decode
	buffer                      []byte
}

// read checks one input.
func (d *damage) read(in *damaged, what string) {
	if err := in.check(); err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
	if in.decoded {
		d.models++
	}
	d.slowest = max(d.slowest, in.took)
}

// file damages a file.
func (d *damage) file(b []byte, p plan, in func(b []byte) *damaged) {
	if p.stride > 0 {
		for n := (d.part - 1) * p.stride; n < len(b); n += d.parts * p.stride {
			d.prefix(b, n, in)
		}
	} else {
		for i := d.part - 1; i < p.prefixes; i += d.parts {
			n := d.random.IntN(len(b))
			if i%2 == 0 {
				_, n = token(b, n)
			}
			d.prefix(b, n, in)
		}
	}
	structured := json.Valid(b)
	for i := d.part - 1; i < p.mutations; i += d.parts {
		var mutant []byte
		if structured && i%4 == 0 {
			mutant = Mutant(d.random, b, b)
		} else {
			mutant = Mutate(d.random, d.buffer, b)
			d.buffer = mutant
		}
		d.read(in(mutant), fmt.Sprintf("mutation %d of %d bytes", i, len(b)))
		d.mutations++
	}
}

func (d *damage) prefix(b []byte, n int, in func(b []byte) *damaged) {
	d.read(in(b[:n:n]), fmt.Sprintf("the first %d of %d bytes", n, len(b)))
	d.prefixes++
}

// report logs what was tried.
func (d *damage) report(size int) {
	d.t.Logf("%d bytes: %d prefixes and %d mutations, %d of them models; the slowest took %v", size,
		d.prefixes, d.mutations, d.models-1, d.slowest.Round(time.Microsecond))
}

// Values of tokens and words at the ends of their ranges, and some that formats have a meaning for.
var (
	extremeTokens = []string{"0", "-1", "1", "2", "9", "31", "32", "255", "65536", "2147483647",
		"-2147483648", "4294967296", "1e308", "-1.7976931348623157e308", "1e-36", "-0", "inf", "nan",
		"NaN", "INF", "null", "true", "99999999999999999999", "", "[", "}", "defaultChild", "isMissing"}
	extremeWords = [][]byte{{0, 0, 0, 0}, {1, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff},
		{0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}, {0, 0, 0, 1}, {0, 0, 0xc0, 0x7f},
		{0, 0, 0x80, 0x7f}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}}
)

// Mutate returns a file with one to four random changes, in the memory of buf if that suffices:
// bytes flipped, replaced, removed, moved or repeated, words of 4 bytes at the ends of their
// ranges, tokens replaced by such or by others of the file, and lines repeated.
func Mutate(r *rand.Rand, buf, file []byte) []byte {
	b := append(buf[:0], file...)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		b = mutateOnce(r, b)
	}
	return b
}

func mutateOnce(r *rand.Rand, b []byte) []byte {
	at := r.IntN(len(b))
	end := min(len(b), at+1+r.IntN(40))
	switch r.IntN(9) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
	case 1:
		b[at] = []byte{0, 1, 0x7f, 0x80, 0xff, '9', '-', '"', byte(r.Uint32())}[r.IntN(9)]
	case 2:
		return slices.Delete(b, at, end)
	case 3:
		copy(b[r.IntN(len(b)):], b[at:end])
	case 4:
		return slices.Insert(b, r.IntN(len(b)), bytes.Clone(b[at:end])...)
	case 5:
		copy(b[at:], extremeWords[r.IntN(len(extremeWords))])
	case 6: // a line that is not very long, elsewhere
		from := bytes.LastIndexByte(b[max(0, at-1000):at], '\n') + 1 + max(0, at-1000)
		if n := bytes.IndexByte(b[at:min(len(b), at+1000)], '\n'); n >= 0 {
			line, to := bytes.Clone(b[from:at+n+1]), r.IntN(len(b))
			to += bytes.IndexByte(b[to:], '\n') + 1
			return slices.Insert(b, to, line...)
		}
	default:
		from, to := token(b, at)
		value := []byte(extremeTokens[r.IntN(len(extremeTokens))])
		if r.IntN(2) == 0 {
			other, otherEnd := token(b, r.IntN(len(b)))
			value = bytes.Clone(b[other:otherEnd])
		}
		return slices.Replace(b, from, to, value...)
	}
	return b
}

// token returns the bounds of the number or word at a place: a byte that belongs to none is one.
func token(b []byte, at int) (from, to int) {
	from, to = at, at
	for from > 0 && at-from < 100 && partOfToken(b[from-1]) {
		from--
	}
	for to < len(b) && to-at < 100 && partOfToken(b[to]) {
		to++
	}
	return from, max(to, min(at+1, len(b)))
}

func partOfToken(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' ||
		c == '-' || c == '+' || c == '_'
}
