// Which blocks of chosen scripts an input executes, for driver.mjs. It needs to be beside that file, and is opened before the
// scripts are loaded: counters are inserted into their source. The parser is acorn, which is part of Node.
import fs from 'node:fs'
import modules from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

const MOST = 1 << 16 // blocks; scripts that come after so many are not counted
const NAME = '$parallax' // the global array of counters. It stops at 255

// acornOf is the parser, or nothing.
function acornOf() {
  const source = process.binding('natives')?.['internal/deps/acorn/acorn/dist/acorn']
  const module = { exports: {} }
  if (source) new Function('exports', 'module', source)(module.exports, module)
  else try { module.exports = modules.createRequire(import.meta.url)('acorn') } catch { return undefined }
  return module.exports.parse && module.exports
}

// Package is the folder of the package that a script belongs to, nothing for a script of nobody's.
const packageOf = url => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0]

// chooser is the rule which scripts count: those whose URL contains a text or, without texts, those of the package of a module
// or, if that is in none, all that are in none and the packages that it names itself.
function chooser(texts, url) {
  if (texts) return { texts }
  const own = packageOf(url)
  if (own) return { packages: [own] }
  const packages = [], source = fs.readFileSync(fileURLToPath(url), 'utf8')
  for (const [, name] of source.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g)) {
    if (name.startsWith('.')) packages.push(packageOf(new URL(name, url).href))
    else if (!modules.isBuiltin(name)) packages.push(`/node_modules/${name.split('/').slice(0, name[0] === '@' ? 2 : 1).join('/')}/`)
  }
  return { packages: packages.filter(p => p), own: true }
}

const drivers = [import.meta.url, new URL('driver.mjs', import.meta.url).href]
function chosen({ texts, packages, own }, url) {
  if (!url.startsWith('file:') || drivers.includes(url)) return false
  if (texts) return texts.some(t => url.includes(t))
  const folder = packageOf(url)
  return folder ? packages.some(p => folder === p || p[0] === '/' && folder.endsWith(p)) : own
}

// rewrite returns the source with counters from number first on, and what is to tell of it; nothing if it cannot be parsed.
function rewrite(acorn, source, url, module, take) {
  let tree
  try {
    tree = acorn.parse(source, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', locations: true,
      allowHashBang: true, allowReturnOutsideFunction: true, allowSuperOutsideMethod: true })
  } catch { return undefined }
  const functions = [], edits = [] // edits: where, whether it closes, text or [before, number, after]
  let current, blocks = 0
  const path = [], place = url.slice((packageOf(url) ?? new URL('.', url).href).length).replace(/\.[cm]?js$/, '') // the same in all versions
  const number = (kind, node, cond, last) => {
    current.blocks.push({ at: blocks, told: [kind, node.loc.start.line, (cond ?? node).loc.start.line, (last ?? node).loc.end.line] })
    return blocks++
  }
  const open = (at, before, n, after) => edits.push({ at, closes: false, before, n, after })
  const close = (at, before, n, after = '') => edits.push({ at, closes: true, before, n, after })
  const compound = /^(If|For|While|DoWhile|Switch|Try|Labeled|With|Block|Function|Class)/
  // statement counts a statement that is executed or not.
  const statement = (kind, node, cond) => {
    if (!current || /^Function/.test(node.type)) return visit(node)
    if (node.type === 'BlockStatement') return body(kind, node, node.body, node.start + 1, cond)
    open(node.start, '{', number(kind, node, cond, compound.test(node.type) ? cond : node), '++;')
    visit(node)
    close(node.end, '}')
  }
  // body counts a list of statements from a place on.
  const body = (kind, node, list, at, cond) => {
    head(kind, node, list, at, cond)
    list.forEach(visit)
  }
  const head = (kind, node, list, at, cond, before = '') => {
    let last = cond ?? { loc: { end: node.loc.start } }
    for (const s of list) {
      if (compound.test(s.type)) break
      last = s
    }
    if (current) open(at, before, number(kind, list[0] ?? node, cond, last), '++;')
  }
  // operand counts an expression that is evaluated or not.
  const operand = (kind, node) => {
    if (!current) return visit(node)
    open(node.start, '(', number(kind, node), '++,')
    visit(node)
    close(node.end, ')')
  }
  const enter = (name, node) => {
    const outer = current
    path.push(name)
    functions.push(current = { name: `${place}.${path.join('.')}`, file: fileURLToPath(url), line: node.loc.start.line, blocks: [] })
    if (node.body.type !== 'BlockStatement') {
      open(node.body.start, '(', number('entry', node.body), '++,')
      node.params.forEach(visit)
      visit(node.body)
      close(node.body.end, ')')
    } else {
      const list = node.body.body, directives = list.filter(s => s.directive).length
      const at = directives ? list[directives - 1].end : node.body.start + 1
      if (list.some(s => s.directive === 'use asm')) current = undefined
      head('entry', node.body, list.slice(directives), at, undefined, directives ? ';' : '')
      node.params.forEach(visit)
      list.forEach(visit)
    }
    path.pop()
    current = outer
  }
  const named = { FunctionDeclaration: n => n.id?.name, VariableDeclarator: n => n.id.name, AssignmentExpression: n => n.left.property?.name ?? n.left.name,
    Property: n => n.key.name, MethodDefinition: n => n.key.name, PropertyDefinition: n => n.key.name }
  let hint
  const visit = node => {
    const given = hint
    hint = named[node.type]?.(node)
    switch (node.type) {
      case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression':
        return enter(node.id?.name ?? given ?? 'anonymous', node)
      case 'ClassDeclaration': case 'ClassExpression': {
        const outer = current
        current = undefined // fields and static blocks are no function's
        path.push(node.id?.name ?? given ?? 'anonymous')
        children(node)
        path.pop()
        current = outer
        return
      }
      case 'IfStatement':
        visit(node.test)
        statement('then', node.consequent, node.test)
        if (node.alternate?.type === 'IfStatement') visit(node.alternate)
        else if (node.alternate) statement('else', node.alternate, node.test)
        else if (current && !/^Function/.test(node.consequent.type)) close(node.end, ' else{', number('implicit-else', node.test), '++}')
        return
      case 'ForStatement': case 'ForInStatement': case 'ForOfStatement': case 'WhileStatement': case 'DoWhileStatement':
        for (const part of ['init', 'left', 'right', 'test', 'update']) if (node[part]) visit(node[part])
        return statement('body', node.body, node.test ?? node.right)
      case 'SwitchStatement': {
        visit(node.discriminant)
        for (const c of node.cases) {
          if (c.test) visit(c.test)
          if (c.consequent.length) body('case', c, c.consequent, c.consequent[0].start, c)
        }
        if (current && node.cases.length && !node.cases.some(c => !c.test)) close(node.end - 1, ';default:', number('implicit-default', node.discriminant), '++')
        return
      }
      case 'CatchClause':
        return body('branch', node.body, node.body.body, node.body.start + 1, node.body)
      case 'ConditionalExpression':
        visit(node.test)
        operand('then', node.consequent)
        return operand('else', node.alternate)
      case 'LogicalExpression':
        visit(node.left)
        return operand(node.operator === '&&' ? 'and' : 'or', node.right)
    }
    children(node)
  }
  const children = node => {
    const given = hint
    for (const key in node) {
      const child = node[key]
      if (!child || typeof child !== 'object' || key === 'loc') continue
      hint = given
      if (Array.isArray(child)) child.forEach(c => c?.type && visit(c))
      else if (child.type) visit(child)
    }
    hint = undefined
  }
  visit(tree)
  const first = take(blocks)
  if (first === undefined || blocks === 0) return undefined
  // Blocks of a function follow one another, whatever functions are within it.
  const numbers = []
  let next = first
  for (const f of functions) f.blocks = f.blocks.map(b => (numbers[b.at] = next++, b.told))
  // At one place, what closes comes before what opens; each kind is in order, the inner first and the outer first.
  edits.forEach((e, i) => { e.order = i })
  edits.sort((a, b) => a.at - b.at || b.closes - a.closes || a.order - b.order)
  let out = '', at = 0
  for (const e of edits) {
    out += source.slice(at, e.at) + e.before + (e.n === undefined ? '' : `${NAME}[${numbers[e.n]}]`) + e.after
    at = e.at
  }
  return { source: out + source.slice(at), told: { url, first, blocks, functions } }
}

// What hooks need, in the thread in which modules are loaded: the rule, the parser, a shared number of blocks, and where to tell.
let hooks
export function initialize(data) {
  hooks = { ...data, acorn: acornOf() }
}

function take(n) {
  if (Atomics.load(hooks.used, 0) + n > MOST) return undefined
  return Atomics.add(hooks.used, 0, n)
}

function inserted(source, url, module) {
  if (!chosen(hooks.rule, url)) return source
  const made = rewrite(hooks.acorn, String(source), url, module, take)
  if (made) hooks.tell(made.told)
  return made?.source ?? source
}

// insertedInto is what a hook was told of a script, with counters. CommonJS has a source or a format here only in Node 22 and later.
function insertedInto(result, url) {
  if (!result.source || !['module', 'commonjs', null, undefined].includes(result.format)) return result
  const source = typeof result.source === 'string' ? result.source : Buffer.from(result.source)
  return { ...result, source: inserted(source, url, result.format === 'module') }
}

// load is the hook of a thread of its own, in Node before 22.15.
export async function load(url, context, next) {
  hooks.tell ??= told => hooks.port.postMessage(told)
  return insertedInto(await next(url, context), url)
}

// observe counts the blocks that run, of scripts whose URL contains one of the texts (with commas between), or of those of a module;
// nothing for "off".
export function observe(texts, url) {
  if (texts === 'off') return undefined
  hooks = { acorn: acornOf(), rule: chooser(texts?.split(','), url), used: new Int32Array(new SharedArrayBuffer(4)) }
  if (hooks.acorn) return counted(hooks)
  if (texts) throw new Error('--cover needs the parser of Node, and this Node has none')
}

function counted(hooks) {
  const counts = new Uint8ClampedArray(MOST), scripts = []
  Object.defineProperty(globalThis, NAME, { value: counts })
  hooks.tell = told => scripts.push(told)
  const { port1, port2 } = new MessageChannel()
  if (modules.registerHooks) modules.registerHooks({ load: (url, context, next) => insertedInto(next(url, context), url) })
  else {
    const compile = modules.prototype._compile
    modules.prototype._compile = function (source, file, ...rest) {
      return compile.call(this, inserted(source, pathToFileURL(file).href, false), file, ...rest)
    }
    modules.register?.(import.meta.url, { data: { rule: hooks.rule, used: hooks.used, port: port2 }, transferList: [port2] })
  }
  port1.unref()

  let blocks = 0
  return {
    // greeting is what the driver's first line says of the blocks, and the table that follows it, but for the line feed behind it.
    // Scripts that are loaded later are not told of.
    greeting() {
      for (let m; (m = receiveMessageOnPort(port1));) scripts.push(m.message)
      hooks.tell = () => {}
      scripts.sort((a, b) => (a.url < b.url ? -1 : 1)) // in which order they were loaded is chance
      for (const s of scripts) s.counts = counts.subarray(s.first, s.first + s.blocks)
      blocks = scripts.reduce((n, s) => n + s.blocks, 0)
      if (blocks === 0) return Buffer.alloc(0)
      const table = Buffer.from(JSON.stringify(scripts.flatMap(s => s.functions)))
      return Buffer.concat([Buffer.from(` features=${blocks} counts table=${table.length + 1}\n`), table])
    },
    begin() {
      for (const s of scripts) s.counts.fill(0)
    },
    // take is how often each block ran since begin, up to 255.
    take() {
      const took = Buffer.allocUnsafe(blocks)
      let at = 0
      for (const s of scripts) {
        took.set(s.counts, at)
        at += s.blocks
      }
      return took
    },
  }
}
