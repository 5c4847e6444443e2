import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { extractDefinitions, outlineFiles } from '../../src/features/agent/code/code-outline.ts'

const { signal } = new AbortController()
const names = (file: string, ...lines: string[]) =>
  [...extractDefinitions(file, lines.join('\n'))].map(({ line, name }) => `${line} ${name}`)

test('finds definitions with their lines in the main languages', () => {
  assert.deepEqual(
    names(
      'a.ts',
      'import { x } from "y"',
      'export async function start(port: number): Promise<void> {',
      '  if (port) {',
      '  return run(port)',
      'export const LIMIT = 3',
      'const go = async (a: string) => {',
      'export abstract class Server {',
      '  async stop(now: boolean): Promise<void> {',
      "  .option('--log-level <level>', 'How much is told.')",
    ),
    ['2 start', '5 LIMIT', '6 go', '7 Server', '8 stop', '9 --log-level'],
  )
  assert.deepEqual(names('a.py', 'class A(B):', '    async def go(self):', 'MAX_SIZE: int = 3', 'x = 1'), [
    '1 A',
    '2 go',
    '3 MAX_SIZE',
  ])
  assert.deepEqual(names('a.go', 'func (s *Server) Run(ctx C) error {', 'type Server struct {'), [
    '1 Run',
    '2 Server',
  ])
  assert.deepEqual(names('a.rs', 'pub async fn run() {', 'pub(crate) struct S {', 'impl<T> Go for S {'), [
    '1 run',
    '2 S',
    '3 Go for S ',
  ])
  assert.deepEqual(
    names('A.java', 'public final class A {', '  private static List<String> all(int n) {', '  return f(n);'),
    ['1 A', '2 all'],
  )
  assert.deepEqual(names('a.c', '#define MOST 3', 'static int go(char *x)', 'int main(void) {'), [
    '1 MOST',
    '2 go',
    '3 main',
  ])
  assert.deepEqual(names('a.kt', 'data class A(', '  override fun go(x: Int)'), ['1 A', '2 go'])
  assert.deepEqual(names('a.rb', 'module M', '  def self.go?', '  LIMIT = 3'), ['1 M', '2 go?', '3 LIMIT'])
  assert.deepEqual(names('a.sh', 'start() {', 'PORT=3'), ['1 start', '2 PORT'])
  assert.deepEqual(names('a.png', 'class A'), [])
})

test('skips overlong lines and masses of brackets, and pages through ten thousand files', async () => {
  for (const text of [
    '('.repeat(1 << 20),
    'a '.repeat(1 << 19),
    'public static '.repeat(28),
    `${'x,'.repeat(190)}(`,
  ])
    for (const file of ['a.ts', 'a.java', 'a.rs', 'a.py']) assert.deepEqual(names(file, text, text, text), [])
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, n) => [`src/f${n}.ts`, `export function f${n}() {`]),
  )
  const all = await outlineFiles(openMemoryTree(many), {}, signal)
  assert.match(all, /call again with offset 200/)
  const one = await outlineFiles(openMemoryTree(many), { name: 'F1999' }, signal)
  assert.match(one, /^Definitions 1 to \d+:\nsrc\/f1999\.ts:1: export function f1999/)
  assert.match(one, /8000 files were not searched/)
})

test('rejects folders without known languages, paths outside the folder and tool files', async () => {
  const tree = openMemoryTree({
    'a.txt': 'x',
    '.env.ts': 'export const KEY = 1',
    'src/a.ts': 'export const A = 1',
  })
  await assert.rejects(outlineFiles(tree, { folder: 'docs' }, signal), /no files of a known language/)
  await assert.rejects(outlineFiles(tree, { path: '../a.ts' }, signal), /is outside/)
  await assert.rejects(outlineFiles(tree, { path: '.env.ts' }, signal), /is used by tools/)
  assert.equal(await outlineFiles(tree, {}, signal), 'Definitions 1 to 1:\nsrc/a.ts:1: export const A = 1')
})
