package redis

import (
	"math"
	"strconv"
)

// words are those of a command that begins with these. Numbers and options follow.
type words []string

func (w words) int(n int) words       { return append(w, strconv.Itoa(n)) }
func (w words) float(f float64) words { return append(w, strconv.FormatFloat(f, 'g', -1, 64)) }
func (w words) all(s ...string) words { return append(w, s...) }
func (w words) when(on bool, s ...string) words {
	if on {
		return append(w, s...)
	}
	return w
}

// one is one of some options. The first is none.
func (w words) one(n int, options ...words) words {
	if n = int(uint8(n)) % (len(options) + 1); n > 0 {
		return append(w, options[n-1]...)
	}
	return w
}

// Keys and time. Times are in minutes, so that a slow machine does not matter.

const minute = 60

func (c *Client) Del(key string, more ...string) (string, error) {
	return c.do(words{"DEL", key}.all(more...)...)
}
func (c *Client) Exists(key string, more ...string) (string, error) {
	return c.do(words{"EXISTS", key}.all(more...)...)
}
func (c *Client) Type(key string) (string, error)          { return c.do("TYPE", key) }
func (c *Client) Rename(from, to string) (string, error)   { return c.do("RENAME", from, to) }
func (c *Client) RenameNX(from, to string) (string, error) { return c.do("RENAMENX", from, to) }
func (c *Client) Copy(from, to string, replace bool) (string, error) {
	return c.do(words{"COPY", from, to}.when(replace, "REPLACE")...)
}
func (c *Client) Keys() (string, error)   { return c.sorted(1, "KEYS", "*") }
func (c *Client) DBSize() (string, error) { return c.do("DBSIZE") }
func (c *Client) Expire(key string, minutes, option int) (string, error) {
	return c.do(words{"EXPIRE", key}.int(minutes*minute).one(option, words{"NX"}, words{"XX"}, words{"GT"}, words{"LT"})...)
}
func (c *Client) Persist(key string) (string, error) { return c.do("PERSIST", key) }
func (c *Client) TTL(key string) (string, error) {
	reply, err := c.do("TTL", key)
	if n, fails := strconv.Atoi(reply); fails == nil && n > 0 {
		reply = strconv.Itoa(int(math.Round(float64(n)/minute))) + " minutes"
	}
	return reply, err
}
func (c *Client) Pass(minutes uint) error { return c.pass(minutes) }

// Strings.

func (c *Client) Set(key, to string, nx, xx, get, keepTTL bool) (string, error) {
	return c.do(words{"SET", key, to}.when(nx, "NX").when(xx, "XX").when(get, "GET").when(keepTTL, "KEEPTTL")...)
}
func (c *Client) SetEx(key string, minutes int, to string) (string, error) {
	return c.do(words{"SETEX", key}.int(minutes * minute).all(to)...)
}
func (c *Client) SetNX(key, to string) (string, error)  { return c.do("SETNX", key, to) }
func (c *Client) Get(key string) (string, error)        { return c.do("GET", key) }
func (c *Client) GetDel(key string) (string, error)     { return c.do("GETDEL", key) }
func (c *Client) GetSet(key, to string) (string, error) { return c.do("GETSET", key, to) }
func (c *Client) GetEx(key string, minutes int, persist bool) (string, error) {
	if persist {
		return c.do("GETEX", key, "PERSIST")
	}
	return c.do(words{"GETEX", key, "EX"}.int(minutes * minute)...)
}
func (c *Client) Append(key, value string) (string, error) { return c.do("APPEND", key, value) }
func (c *Client) StrLen(key string) (string, error)        { return c.do("STRLEN", key) }
func (c *Client) GetRange(key string, start, end int) (string, error) {
	return c.do(words{"GETRANGE", key}.int(start).int(end)...)
}
func (c *Client) SetRange(key string, offset int, value string) (string, error) {
	return c.do(words{"SETRANGE", key}.int(offset).all(value)...)
}
func (c *Client) IncrBy(key string, by int) (string, error) {
	return c.do(words{"INCRBY", key}.int(by)...)
}
func (c *Client) DecrBy(key string, by int) (string, error) {
	return c.do(words{"DECRBY", key}.int(by)...)
}
func (c *Client) IncrByFloat(key, by string) (string, error) { return c.do("INCRBYFLOAT", key, by) }
func (c *Client) MSetNX(key, to, other, too string) (string, error) {
	return c.do("MSETNX", key, to, other, too)
}
func (c *Client) MGet(key string, more ...string) (string, error) {
	return c.do(words{"MGET", key}.all(more...)...)
}
func (c *Client) SetBit(key string, offset int, on bool) (string, error) {
	bit := 0
	if on {
		bit = 1
	}
	return c.do(words{"SETBIT", key}.int(offset).int(bit)...)
}
func (c *Client) GetBit(key string, offset int) (string, error) {
	return c.do(words{"GETBIT", key}.int(offset)...)
}
func (c *Client) BitCount(key string, start, end int) (string, error) {
	return c.do(words{"BITCOUNT", key}.int(start).int(end)...)
}

// Lists.

func (c *Client) LPush(key, element string, more ...string) (string, error) {
	return c.do(words{"LPUSH", key, element}.all(more...)...)
}
func (c *Client) RPush(key, element string, more ...string) (string, error) {
	return c.do(words{"RPUSH", key, element}.all(more...)...)
}
func (c *Client) LPushX(key, element string) (string, error) { return c.do("LPUSHX", key, element) }
func (c *Client) RPushX(key, element string) (string, error) { return c.do("RPUSHX", key, element) }
func (c *Client) LPop(key string) (string, error)            { return c.do("LPOP", key) }
func (c *Client) RPop(key string) (string, error)            { return c.do("RPOP", key) }
func (c *Client) LPopCount(key string, count int) (string, error) {
	return c.do(words{"LPOP", key}.int(count)...)
}
func (c *Client) RPopCount(key string, count int) (string, error) {
	return c.do(words{"RPOP", key}.int(count)...)
}
func (c *Client) LLen(key string) (string, error) { return c.do("LLEN", key) }
func (c *Client) LRange(key string, start, stop int) (string, error) {
	return c.do(words{"LRANGE", key}.int(start).int(stop)...)
}
func (c *Client) LIndex(key string, index int) (string, error) {
	return c.do(words{"LINDEX", key}.int(index)...)
}
func (c *Client) LSet(key string, index int, element string) (string, error) {
	return c.do(words{"LSET", key}.int(index).all(element)...)
}
func (c *Client) LInsert(key string, after bool, pivot, element string) (string, error) {
	where := "BEFORE"
	if after {
		where = "AFTER"
	}
	return c.do("LINSERT", key, where, pivot, element)
}
func (c *Client) LRem(key string, count int, element string) (string, error) {
	return c.do(words{"LREM", key}.int(count).all(element)...)
}
func (c *Client) LTrim(key string, start, stop int) (string, error) {
	return c.do(words{"LTRIM", key}.int(start).int(stop)...)
}
func (c *Client) LPos(key, element string, rank, count, most int) (string, error) {
	return c.do(words{"LPOS", key, element, "RANK"}.int(rank).all("COUNT").int(count).all("MAXLEN").int(most)...)
}
func (c *Client) RPopLPush(from, to string) (string, error) { return c.do("RPOPLPUSH", from, to) }
func (c *Client) LMove(from, to string, fromLeft, toLeft bool) (string, error) {
	w := words{"LMOVE", from, to}
	for _, left := range []bool{fromLeft, toLeft} {
		w = w.when(left, "LEFT").when(!left, "RIGHT")
	}
	return c.do(w...)
}

// Hashes.

func (c *Client) HSet(key, field, to string) (string, error)   { return c.do("HSET", key, field, to) }
func (c *Client) HSetNX(key, field, to string) (string, error) { return c.do("HSETNX", key, field, to) }
func (c *Client) HGet(key, field string) (string, error)       { return c.do("HGET", key, field) }
func (c *Client) HMGet(key, field string, more ...string) (string, error) {
	return c.do(words{"HMGET", key, field}.all(more...)...)
}
func (c *Client) HDel(key, field string, more ...string) (string, error) {
	return c.do(words{"HDEL", key, field}.all(more...)...)
}
func (c *Client) HExists(key, field string) (string, error) { return c.do("HEXISTS", key, field) }
func (c *Client) HLen(key string) (string, error)           { return c.do("HLEN", key) }
func (c *Client) HStrLen(key, field string) (string, error) { return c.do("HSTRLEN", key, field) }
func (c *Client) HGetAll(key string) (string, error)        { return c.sorted(2, "HGETALL", key) }
func (c *Client) HVals(key string) (string, error)          { return c.sorted(1, "HVALS", key) }
func (c *Client) HIncrBy(key, field string, by int) (string, error) {
	return c.do(words{"HINCRBY", key, field}.int(by)...)
}
func (c *Client) HIncrByFloat(key, field, by string) (string, error) {
	return c.do("HINCRBYFLOAT", key, field, by)
}

// Sorted sets.

func (c *Client) ZAdd(key string, score float64, member string, option int) (string, error) {
	w := words{"ZADD", key}.one(option, words{"NX"}, words{"XX"}, words{"GT"}, words{"LT"}, words{"CH"}, words{"XX", "GT", "CH"}, words{"INCR"}, words{"NX", "INCR"}, words{"GT", "INCR"}, words{"NX", "GT"})
	return c.do(w.float(score).all(member)...)
}
func (c *Client) ZIncrBy(key string, by float64, member string) (string, error) {
	return c.do(words{"ZINCRBY", key}.float(by).all(member)...)
}
func (c *Client) ZRem(key, member string, more ...string) (string, error) {
	return c.do(words{"ZREM", key, member}.all(more...)...)
}
func (c *Client) ZScore(key, member string) (string, error)   { return c.do("ZSCORE", key, member) }
func (c *Client) ZRank(key, member string) (string, error)    { return c.do("ZRANK", key, member) }
func (c *Client) ZRevRank(key, member string) (string, error) { return c.do("ZREVRANK", key, member) }
func (c *Client) ZCard(key string) (string, error)            { return c.do("ZCARD", key) }
func (c *Client) ZRange(key string, start, stop int, rev, scores bool) (string, error) {
	return c.do(words{"ZRANGE", key}.int(start).int(stop).when(rev, "REV").when(scores, "WITHSCORES")...)
}
func (c *Client) ZRangeByScore(key, min, max string, offset, count int) (string, error) {
	return c.do(words{"ZRANGEBYSCORE", key, min, max, "LIMIT"}.int(offset).int(count)...)
}
func (c *Client) ZRangeByLex(key, min, max string, exclude bool) (string, error) {
	from := "["
	if exclude {
		from = "("
	}
	return c.do("ZRANGEBYLEX", key, from+min, "["+max)
}
func (c *Client) ZCount(key, min, max string) (string, error) { return c.do("ZCOUNT", key, min, max) }
func (c *Client) ZPopMin(key string, count int) (string, error) {
	return c.do(words{"ZPOPMIN", key}.int(count)...)
}
func (c *Client) ZPopMax(key string, count int) (string, error) {
	return c.do(words{"ZPOPMAX", key}.int(count)...)
}
func (c *Client) ZRemRangeByRank(key string, start, stop int) (string, error) {
	return c.do(words{"ZREMRANGEBYRANK", key}.int(start).int(stop)...)
}
func (c *Client) ZUnionStore(to, key, other string, weight float64, aggregate int) (string, error) {
	w := words{"ZUNIONSTORE", to, "2", key, other, "WEIGHTS", "1"}.float(weight)
	return c.do(w.one(aggregate, words{"AGGREGATE", "MIN"}, words{"AGGREGATE", "MAX"})...)
}
func (c *Client) ZInterStore(to, key, other string) (string, error) {
	return c.do("ZINTERSTORE", to, "2", key, other)
}
