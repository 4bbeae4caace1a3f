package trees

// contributions writes what each player of a leaf of value 1 contributes, for each pattern of
// satisfied players: that of player j at pattern p in dst[p*players + j]. taken holds z by player.
// scratch has room for 2^(players-1) numbers.
func contributions(dst, scratch, taken []float64) {
	players := len(taken)
	if players == 0 {
		return
	}
	rule := ruleFor(players - 1)
	clear(dst[:players<<players])
	products := scratch[:1<<(players-1)]
	for j := range taken {
		low := uint32(1)<<j - 1
		for i, t := range rule.point {
			others(products, taken, j, t, rule.weight[i])
			for s, p := range products {
				pattern := uint32(s)&low | uint32(s)&^low<<1
				dst[int(pattern)*players+j] += p
			}
		}
		for s := range products {
			pattern := uint32(s)&low | uint32(s)&^low<<1
			at := int(pattern)*players + j
			integral := dst[at]
			dst[at] = -float64(taken[j] * integral)
			dst[at+players<<j] = float64((1 - taken[j]) * integral)
		}
	}
}

// others writes the product of the factors of all players but one at point t, by their pattern.
func others(products, taken []float64, but int, t, weight float64) {
	products[0] = weight
	size := 1
	for k, z := range taken {
		if k == but {
			continue
		}
		absent := float64((1 - t) * z)
		present := t + absent
		for s, p := range products[:size] {
			products[size+s] = p * present
			products[s] = p * absent
		}
		size *= 2
	}
}

// interactions writes the interactions of the players of a leaf of value 1, for each pattern of
// satisfied players: that of players i < j at pattern p in dst[p*n + j(j-1)/2 + i], of n.
func interactions(dst, taken []float64) {
	players := len(taken)
	pairs := Pairs.CellsOf(players)
	clear(dst[:pairs<<players])
	if players < 2 {
		return
	}
	rule := ruleFor(players - 2)
	effect := make([]float64, players) // by player: its effect divided by its factor
	for s := range 1 << players {
		cells := dst[s*pairs:][:pairs]
		for point, t := range rule.point {
			product := rule.weight[point] / 2
			for j, z := range taken {
				satisfied := float64(s >> j & 1)
				factor := float64(t*satisfied) + float64((1-t)*z)
				product *= factor
				effect[j] = (satisfied - z) / factor
			}
			if product == 0 {
				continue // a player is neither satisfied nor taken: all products have its factor
			}
			at := 0
			for j, e := range effect {
				both := product * e
				for _, other := range effect[:j] {
					cells[at] += float64(both * other)
					at++
				}
			}
		}
	}
}
