// Command ranksim computes how long a tree of gbm takes on many ranks, by a model of its costs:
//
//	go run -C tools ./ranksim [-rows 1e7,1e8,1e9,1e10] [-ranks 1,2,10,100,1000] [-columns 28]
//		[-bins 256] [-leaves 255] [-threads 8] [-alpha 2e-6] [-bandwidth 12.5e9]
//
// It grows a tree of leaves that have random fractions of the rows of the leaf above, in the order
// of their rows, and adds up the costs of each step of learn/gbm/internal/hist as it is written:
//
//	rows of a rank    derivatives and scores; partition; cells of the lighter child
//	cells of a rank   packing, adding up what arrives, subtracting, searching
//	messages          alpha for each, and their bytes by the bandwidth
//
// Steps of many rows are two portions. The messages of one are sent while the rank computes for the
// other, and only what takes longer than that counts.
//
// The rows of small leaves move to one rank each, which adds up and searches what is below alone.
// A column has one owner, so that more ranks than columns leave some without cells. Steps end when
// the slowest rank has ended: of rows that ranks get at random, the most that any rank has of a
// leaf. Costs of computing were measured by tools/bench/ranks with one thread; of the network two
// figures describe a message: its latency alpha in seconds, and the bandwidth of a rank in bytes a
// second.
package main

import (
	"container/heap"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

func main() {
	c := usual()
	rows := flag.String("rows", "1e7,1e8,1e9,1e10", "rows of the table")
	ranks := flag.String("ranks", "1,2,10,100,1000", "numbers of ranks")
	flag.IntVar(&c.columns, "columns", 28, "columns that a tree reads")
	flag.IntVar(&c.bins, "bins", 256, "bins of a column")
	flag.IntVar(&c.leaves, "leaves", 255, "leaves of a tree")
	flag.Float64Var(&c.threads, "threads", 8, "threads of a rank, of which each computes as fast")
	flag.Float64Var(&c.alpha, "alpha", c.alpha, "latency of a message in seconds")
	flag.Float64Var(&c.bandwidth, "bandwidth", c.bandwidth, "bytes a second of a rank")
	flag.Parse()
	n, p, err := numbers(*rows, *ranks)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ranksim:", err)
		os.Exit(2)
	}
	fmt.Println("      rows  ranks    s/tree  times as fast  efficiency  network  messages  MB/rank  GB of codes/rank")
	for _, rows := range n {
		one := c.tree(rows, 1)
		alone := one.seconds()
		for _, ranks := range p {
			t := c.tree(rows, int(ranks))
			fmt.Printf("%10.3g %6.0f %9.4f %14.1f %10.0f%% %7.0f%% %9d %8.1f %17.2f\n", rows, ranks,
				t.seconds(), alone/t.seconds(), 100*alone/t.seconds()/ranks,
				100*t.network/t.seconds(), t.messages, t.bytes/1e6,
				rows/ranks*(float64(c.columns)+bytesOfRow)/1e9)
		}
	}
}

// numbers reads two lists.
func numbers(lists ...string) (a, b []float64, err error) {
	for i, list := range lists {
		for _, s := range strings.Split(list, ",") {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil || v < 1 {
				return nil, nil, fmt.Errorf("%q: want numbers from 1 up", list)
			}
			if i == 0 {
				a = append(a, v)
			} else {
				b = append(b, math.Floor(v))
			}
		}
	}
	return a, b, nil
}

// costs are the seconds of one thread, and the network.
type costs struct {
	columns, bins, leaves int
	threads               float64

	row       float64 // derivative, rounding and score of a row
	partition float64 // of a row by a split
	cell      float64 // a row's value added to a histogram
	sum       float64 // a cell that is packed, added up, or subtracted
	search    float64 // a cell that is searched
	step      float64 // what a step takes whatever its size

	alpha, bandwidth float64
}

// bytesOfRow is what a row takes beside its codes: its number twice, word, score, label and weight.
const bytesOfRow = 4 + 4 + 8 + 8 + 16

// usual are the costs that docs/measurements/ranks.md derives, and the network of a cluster with
// 100 Gbit/s.
func usual() costs {
	return costs{row: 6e-9, partition: 1.6e-9, cell: 0.62e-9, sum: 0.4e-9, search: 1.2e-9, step: 2e-6,
		alpha: 5e-6, bandwidth: 12.5e9}
}

// spent is what a tree takes.
type spent struct {
	compute, network, bytes float64
	messages                int
}

func (s *spent) seconds() float64 { return s.compute + s.network }

// leaf is an open leaf of so many rows, which may be those of one rank.
type leaf struct {
	rows  float64
	moved bool
}

// leaves is open leaves, those of most rows first.
type leaves []leaf

func (l leaves) Len() int           { return len(l) }
func (l leaves) Less(i, j int) bool { return l[i].rows > l[j].rows }
func (l leaves) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *leaves) Push(v any)        { *l = append(*l, v.(leaf)) }
func (l *leaves) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

// together is the number of rows of each rank up to which leaves share a message, large the divisor
// of the tree's leaves up to which others do, and portion the number of rows of each rank from
// which on a step is two portions, as in learn/gbm/internal/hist.
const (
	together = 1 << 14
	large    = 16
	portion  = 1 << 15
)

// tree grows a tree of so many rows on so many ranks.
func (c *costs) tree(rows float64, ranks int) (t spent) {
	random := rand.New(rand.NewPCG(1, 0))
	p := float64(ranks)
	t.compute += slowest(rows, ranks) * c.row / c.threads
	t.compute += slowest(rows, ranks) * c.cell * float64(c.columns) / c.threads
	c.share(&t, 1, ranks, 0)
	open, few := &leaves{{rows: rows}}, c.few(rows, ranks)
	for made := 1; made < c.leaves && open.Len() > 0; {
		some, all, shared, owned, before := 0, 0.0, 0, 0.0, t.compute
		var children []leaf
		var own moving
		for made < c.leaves && open.Len() > 0 {
			of := (*open)[0]
			n := of.rows
			all += n
			if some > 0 && (ranks == 1 || some > c.leaves/large && all > together*p) {
				break
			}
			heap.Pop(open)
			some, made = some+1, made+1
			fraction := 0.1 + 0.4*random.Float64()
			t.compute += slowest(n, ranks) * c.partition / c.threads
			if n <= few {
				own.add(&of)
			} else {
				shared, owned = shared+1, owned+n
				t.compute += slowest(n*fraction, ranks) * c.cell * float64(c.columns) / c.threads
			}
			children = append(children, leaf{n * fraction, of.moved}, leaf{n * (1 - fraction), of.moved})
		}
		split := 0.0
		if shared > 1 && owned >= portion*p {
			split = t.compute - before
		}
		c.move(&t, &own, ranks)
		c.share(&t, shared, ranks, split)
		for _, l := range children {
			if l.rows >= 2 {
				heap.Push(open, l)
			}
		}
	}
	return t
}

// bytesOfWord is what a row that moves takes beside its codes.
const bytesOfWord = 8

// few returns the rows of a leaf up to which they move, as in learn/gbm/internal/hist.
func (c *costs) few(rows float64, ranks int) float64 {
	if ranks == 1 || ranks > direct {
		return 0
	}
	few := float64(2*8*c.columns*c.bins) / float64((c.columns+3)&^3+bytesOfWord)
	if few/2*float64(c.leaves) >= rows {
		few *= 2
	}
	return min(few, rows/float64(2*ranks))
}

// moving is the leaves of a step whose rows are those of one rank each: all, and those that move.
type moving struct {
	leaves      int
	rows, moved float64
}

func (v *moving) add(l *leaf) {
	v.leaves++
	v.rows += l.rows
	if !l.moved {
		v.moved += l.rows
		l.moved = true
	}
}

// move adds the costs of leaves whose rows are those of one rank each.
func (c *costs) move(t *spent, v *moving, ranks int) {
	if v.leaves == 0 {
		return
	}
	p, busy := float64(ranks), float64(min(v.leaves, ranks))
	each := c.partition + c.cell*float64(c.columns) // of both children
	cells := float64(2 * v.leaves * c.columns * c.bins)
	t.compute += (v.rows*each + cells*c.search) / min(float64(v.leaves), p*c.threads)
	if v.moved == 0 {
		return
	}
	t.compute += v.moved / p * c.partition / c.threads // packed
	bytes := v.moved * float64((c.columns+3)&^3+bytesOfWord) * (p - 1) / p
	t.network += c.alpha*(p-1+math.Ceil(math.Log2(p))) + bytes/busy/c.bandwidth
	t.bytes += bytes / p
	t.messages++
}

// direct is the number of ranks up to which each sends its parts to each other, as in ranks/mpi.
// More add up in a tree.
const direct = 16

// share adds the costs of histograms of so many leaves, and of the search of their children. split
// is the seconds in which the leaves of a step of two portions were split, 0 of one portion.
func (c *costs) share(t *spent, leaves, ranks int, split float64) {
	p := float64(ranks)
	owners := min(ranks, c.columns)
	cells := float64(leaves * c.columns * c.bins)
	own := float64(leaves * c.bins * ((c.columns + owners - 1) / owners)) // of the busiest owner
	side := min(c.threads, math.Ceil(float64(c.columns)/float64(owners)))
	search := 2 * c.search * own / side
	t.compute += c.step + search + c.sum*own/side
	if ranks == 1 {
		return
	}
	t.compute += c.sum * (cells + max(cells, own*p)) // packed; added up, the parts of all ranks
	sent, latency, levels := 8*max(cells-own, own*(p-1)), c.alpha*(p-1), math.Ceil(math.Log2(p))
	if ranks > direct {
		sent, latency = 8*cells*levels, 2*c.alpha*levels
	}
	candidates := float64(leaves*2*50) * (p - 1)
	t.network += c.alpha*levels + candidates/c.bandwidth
	t.bytes += sent
	t.messages += 2
	if split == 0 {
		t.network += latency + sent/c.bandwidth
		return
	}
	each := latency + sent/2/c.bandwidth
	t.network += max(0, each-split/2) + max(0, each-search/2)
	t.messages++
}

// slowest returns the most rows of a leaf that any rank has, about, if ranks get rows at random.
func slowest(rows float64, ranks int) float64 {
	mean := rows / float64(ranks)
	if ranks == 1 {
		return mean
	}
	return mean + math.Sqrt(2*mean*math.Log(float64(ranks)))
}
