package golang

import "fmt"

// supportKeys is the part of the support file that chooses keys of a map, and records lookups in
// maps and lists. A map's order is random, but the choice must be deterministic.
const supportKeys = `
type plxKeys struct {
	n    int
	rank [32]uint32
	a    [32]uint64
	s    [32]string
}

func plxHash(seed uint32, s string) uint32 {
	for i := 0; i < len(s) && i < 64; i++ {
		seed = (seed ^ uint32(s[i])) * 16777619
	}
	return seed ^ seed>>15
}

func plxMix(seed uint32, a uint64) uint32 {
	seed = (seed ^ uint32(a) ^ uint32(a>>32)) * 2654435761
	return seed ^ seed>>15
}

func (k *plxKeys) add(rank uint32, a uint64, s string) {
	i := k.n
	if i < 32 {
		k.n++
	} else if i = 31; !k.after(i, rank, a, s) {
		return
	}
	for i > 0 && k.after(i-1, rank, a, s) {
		k.rank[i], k.a[i], k.s[i] = k.rank[i-1], k.a[i-1], k.s[i-1]
		i--
	}
	k.rank[i], k.a[i], k.s[i] = rank, a, s
}

func (k *plxKeys) after(i int, rank uint32, a uint64, s string) bool {
	if k.rank[i] != rank {
		return k.rank[i] > rank
	}
	if k.a[i] != a {
		return k.a[i] > a
	}
	return k.s[i] > s
}

func (k *plxKeys) put(site, meta uint32, a uint64, s string) {
	if k.n > 0 {
		plxOpSeen[site]++
	}
	for i := 0; i < k.n; i++ {
		plxPut(site, meta, a, k.a[i], plxKeep(s, 0), plxKeep(k.s[i], 0))
	}
}
`

const supportMaps = `
type plxText_ interface{ ~string }
type plxInt_ interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func plxLookT[K plxText_, V interface{}](site, meta uint32, m map[K]V, k K) {
	if len(m) == 0 || len(m) > 4096 || !plxRoom(site, plxShare(len(m))) {
		return
	}
	var keys plxKeys
	seed := plxHash(2166136261, string(k))
	for x := range m {
		if x != k {
			keys.add(plxHash(seed, string(x)), 0, string(x))
		}
	}
	keys.put(site, meta, 0, string(k))
}

func plxLookI[K plxInt_, V interface{}](site, meta uint32, m map[K]V, k K) {
	if len(m) == 0 || len(m) > 4096 || !plxRoom(site, plxShare(len(m))) {
		return
	}
	var keys plxKeys
	seed := plxMix(1, uint64(k))
	for x := range m {
		if x != k {
			keys.add(plxMix(seed, uint64(x)), uint64(x), "")
		}
	}
	keys.put(site, meta, uint64(k), "")
}

func plxMapT[K plxText_, V interface{}](site, meta uint32, m map[K]V, k K) V {
	plxLookT(site, meta, m, k)
	return m[k]
}

func plxMapTOK[K plxText_, V interface{}](site, meta uint32, m map[K]V, k K) (V, bool) {
	plxLookT(site, meta, m, k)
	v, ok := m[k]
	return v, ok
}

func plxMapI[K plxInt_, V interface{}](site, meta uint32, m map[K]V, k K) V {
	plxLookI(site, meta, m, k)
	return m[k]
}

func plxMapIOK[K plxInt_, V interface{}](site, meta uint32, m map[K]V, k K) (V, bool) {
	plxLookI(site, meta, m, k)
	v, ok := m[k]
	return v, ok
}
`

const supportLists = `
func plxInT[S interface{ ~[]E }, E interface{ ~string }, R interface{}](site, meta uint32, f func(S, E) R, list S, v E) R {
	if plxRoom(site, plxShare(len(list))) {
		more := uint8(0)
		for i := 0; i < len(list) && i < 32; i++ {
			if list[i] != v {
				more = 1
				plxPut(site, meta, 0, 0, plxKeep(string(v), 0), plxKeep(string(list[i]), 0))
			}
		}
		plxOpSeen[site] += more
	}
	return f(list, v)
}

func plxInI[S interface{ ~[]E }, E interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}, R interface{}](site, meta uint32, f func(S, E) R, list S, v E) R {
	if plxRoom(site, plxShare(len(list))) {
		more := uint8(0)
		for i := 0; i < len(list) && i < 32; i++ {
			if list[i] != v {
				more = 1
				plxPut(site, meta, uint64(v), uint64(list[i]), "", "")
			}
		}
		plxOpSeen[site] += more
	}
	return f(list, v)
}
`

// supportKey writes a function that passes on keys of maps, for language versions without type
// parameters. It calls a function with every key of the map, until that returns 0.
func supportKey(letter, basic string) string {
	add, key := "plxMix(seed, uint64(x)), uint64(x), \"\"", "uint64(k), \"\""
	seed := "plxMix(1, uint64(k))"
	if letter == "T" {
		add, key = "plxHash(seed, string(x)), 0, string(x)", "0, string(k)"
		seed = "plxHash(2166136261, string(k))"
	}
	return fmt.Sprintf(`
func plxKey_%[2]s(site, meta uint32, each func(func(plx%[1]s) uint8), k %[2]s) %[2]s {
	if plxOpN >= 2048 || plxOpSeen[site] >= 16 {
		return k
	}
	var keys plxKeys
	n := 0
	seed := %[3]s
	each(func(x plx%[1]s) uint8 {
		n++
		if n > 4096 {
			return 0
		}
		if x != plx%[1]s(k) {
			keys.add(%[4]s)
		}
		return 1
	})
	if n <= 4096 && plxRoom(site, plxShare(n)) {
		keys.put(site, meta, %[5]s)
	} else {
		plxOpSeen[site] = 16 // the map is not walked again
	}
	return k
}
`, letter, basic, seed, add, key)
}
