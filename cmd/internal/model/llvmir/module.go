package llvmir

import (
	"fmt"
	"math/big"
)

// File holds the declarations and definitions of one text of IR.
type File struct {
	Name      string
	Functions []*Function
	Globals   []*Global
	Aliases   map[string]string // to the symbols that they name
}

// Linkage is the visibility of a symbol.
type Linkage uint8

// The linkages.
const (
	External Linkage = iota
	Internal         // of its file alone
	Weak             // overridden by another definition
)

// Function is a defined or declared function.
type Function struct {
	Name    string
	Linkage Linkage
	Result  *Type
	Params  []Param
	Blocks  []*Block   // the first is the entry; none for a declaration
	Line    int        // of the text
	Place   SourceLine // in the source, if known
	File    *File

	// Unsupported is why the body cannot be used, if it cannot. It names line, instruction and
	// function.
	Unsupported error

	registers int            // how many registers it has, parameters first
	names     map[string]int // of registers
	blocks    map[string]int // of blocks
	types     []*Type        // of registers, if known
	first     int            // number of its first block within the module
	index     int            // of the function within the module
}

// Param is a parameter.
type Param struct {
	Type *Type
	Name string
}

// Block is a basic block. Its last instruction, and no other, is a terminator.
type Block struct {
	Name   string // its label, or number
	Index  int    // in Function.Blocks
	Instrs []*Instr
}

// terminator returns the last instruction.
func (b *Block) terminator() *Instr { return b.Instrs[len(b.Instrs)-1] }

// Successors returns the possible next blocks, in the terminator's order.
func (b *Block) Successors() []int {
	switch t := b.terminator(); t.Op {
	case OpBr, OpSwitch:
		return t.Blocks
	}
	return nil
}

// SourceLine is a line of the source.
type SourceLine struct {
	File string
	Line int
}

func (p SourceLine) String() string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Global is a variable or a constant table.
type Global struct {
	Name     string
	Linkage  Linkage
	Type     *Type
	Init     *Value // nil for a declaration
	Constant bool
	Line     int
	File     *File

	// Unsupported is why its initial value cannot be used, if it cannot.
	Unsupported error
}

// Instr is an instruction.
type Instr struct {
	Op    Op
	Dest  int   // the register that holds the result, or -1
	Type  *Type // of the result, or of the stored value
	Args  []*Value
	Flags Flags
	Pred  Pred // of icmp
	// of br and switch: the targets, default first; of phi: the predecessor of each argument
	Blocks  []int
	Source  *Type      // of getelementptr: the indexed type; of alloca: the allocated type
	Callee  *Value     // of call
	Indices []int      // of extractvalue and insertvalue
	Line    int        // of the text
	Place   SourceLine // in the source
}

// Op is the operation of an instruction.
type Op uint8

// The instructions.
const (
	_ Op = iota
	OpAdd
	OpSub
	OpMul
	OpUdiv
	OpSdiv
	OpUrem
	OpSrem
	OpShl
	OpLshr
	OpAshr
	OpAnd
	OpOr
	OpXor
	OpIcmp
	OpTrunc
	OpZext
	OpSext
	OpPtrToInt
	OpIntToPtr
	OpBitcast
	OpSelect
	OpFreeze
	OpPhi
	OpAlloca
	OpLoad
	OpStore
	OpGetElementPtr
	OpExtractValue
	OpInsertValue
	OpCall
	OpBr
	OpSwitch
	OpRet
	OpUnreachable
)

var opNames = map[string]Op{
	"add": OpAdd, "sub": OpSub, "mul": OpMul, "udiv": OpUdiv, "sdiv": OpSdiv, "urem": OpUrem, "srem": OpSrem, "shl": OpShl, "lshr": OpLshr,
	"ashr": OpAshr, "and": OpAnd, "or": OpOr, "xor": OpXor, "icmp": OpIcmp, "trunc": OpTrunc, "zext": OpZext, "sext": OpSext,
	"ptrtoint": OpPtrToInt, "inttoptr": OpIntToPtr, "bitcast": OpBitcast, "select": OpSelect, "freeze": OpFreeze, "phi": OpPhi,
	"alloca": OpAlloca, "load": OpLoad, "store": OpStore, "getelementptr": OpGetElementPtr, "extractvalue": OpExtractValue,
	"insertvalue": OpInsertValue, "call": OpCall, "br": OpBr, "switch": OpSwitch, "ret": OpRet, "unreachable": OpUnreachable,
}

// String returns the instruction's name.
func (o Op) String() string {
	for name, op := range opNames {
		if op == o {
			return name
		}
	}
	return fmt.Sprint("instruction ", uint8(o))
}

// ends reports whether the instruction is a terminator.
func (o Op) ends() bool { return o >= OpBr }

// Flags are promises of an instruction. If one is broken, the result is poison.
type Flags uint8

// The flags.
const (
	NSW      Flags = 1 << iota // no signed overflow
	NUW                        // no unsigned overflow
	Exact                      // no remainder, no bit lost
	InBounds                   // within the object
	Disjoint                   // no bit in common
	NonNeg                     // the operand is not negative
	Volatile
)

var flagNames = map[string]Flags{"nsw": NSW, "nuw": NUW, "exact": Exact, "inbounds": InBounds, "disjoint": Disjoint, "nneg": NonNeg,
	"nusw": 0, "volatile": Volatile}

// Pred is the comparison of icmp.
type Pred uint8

// The comparisons.
const (
	EQ Pred = iota + 1
	NE
	UGT
	UGE
	ULT
	ULE
	SGT
	SGE
	SLT
	SLE
)

var predNames = map[string]Pred{"eq": EQ, "ne": NE, "ugt": UGT, "uge": UGE, "ult": ULT, "ule": ULE, "sgt": SGT, "sge": SGE, "slt": SLT, "sle": SLE}

// ValueKind is the kind of an operand.
type ValueKind uint8

// The kinds of operands.
const (
	RegisterValue  ValueKind = iota + 1
	IntValue                 // a number; null is 0 of type ptr
	UndefValue               // any bits
	PoisonValue              // the result of a broken promise
	ZeroValue                // zeroinitializer
	SymbolValue              // the address of a global or function
	AggregateValue           // of Elems
	BytesValue               // an array of bytes, Data
	ExprValue                // an instruction on constants
	MetadataValue            // an operand that is no value
)

// Value is an operand.
type Value struct {
	Kind     ValueKind
	Type     *Type
	Register int
	Int      *big.Int // modulo 2 to the width
	Symbol   string
	Elems    []*Value
	Data     string
	Expr     *Instr // its operands are constants
}

// bits returns the number of a value of up to 64 bits.
func (v *Value) bits() uint64 { return v.Int.Uint64() }

func intValue(t *Type, n *big.Int) *Value {
	return &Value{Kind: IntValue, Type: t, Int: wrapInt(n, t.width())}
}

// wrapInt returns n modulo 2 to the bits.
func wrapInt(n *big.Int, bits int) *big.Int {
	if n.Sign() >= 0 && n.BitLen() <= bits {
		return n
	}
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return mask.And(n, mask.Sub(mask, big.NewInt(1)))
}
