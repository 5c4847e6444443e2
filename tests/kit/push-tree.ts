/** Commits arbitrary tree entries, including ones that git refuses to add, to a bare repository without a work tree. */
import { spawn } from 'node:child_process'
import type { TreeEntry } from './hostile-trees.ts'

const IDENTITY = 'Test <test@example.com> 1750000000 +0000'

/** Points `main` at a commit with exactly these entries. */
export async function pushTree(gitDir: string, entries: readonly TreeEntry[]): Promise<void> {
  const small = await run(gitDir, ['hash-object', '-w', '--stdin'], [Buffer.from('Words.\n')])
  const stream: Buffer[] = [
    Buffer.from(`commit refs/heads/main\ncommitter ${IDENTITY}\ndata 0\n`),
    Buffer.from('deleteall\n'),
  ]
  for (const entry of entries) {
    const path = quoted(entry.path)
    if (entry.kind === 'submodule') stream.push(Buffer.from(`M 160000 ${entry.commit} ${path}\n`))
    else if (entry.kind === 'raw') {
      const rows = entry.names.map(({ mode, name }) =>
        Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(small, 'hex')]),
      )
      const tree = await run(gitDir, ['hash-object', '--literally', '-w', '-t', 'tree', '--stdin'], rows)
      stream.push(Buffer.from(`M 040000 ${tree} ${path}\n`))
    } else {
      const content = Buffer.from(entry.content)
      const mode = entry.kind === 'link' ? '120000' : '100644'
      stream.push(Buffer.from(`M ${mode} inline ${path}\ndata ${content.length}\n`), content, LINE_END)
    }
  }
  await run(gitDir, ['fast-import', '--quiet', '--force'], stream)
}

const LINE_END = Buffer.from('\n')

/** Quotes a path for `git fast-import`, with special and non-ASCII bytes as octal escapes. */
function quoted(path: Buffer): string {
  const bytes = [...path].map((byte) =>
    byte > 0x2c && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  return `"${bytes.join('')}"`
}

async function run(gitDir: string, args: string[], input: readonly Buffer[]): Promise<string> {
  const child = spawn('git', args, { cwd: gitDir, stdio: ['pipe', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  const wrong: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => wrong.push(chunk))
  child.stdin.on('error', () => {}) // its end says why
  child.stdin.end(Buffer.concat(input))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`git ${args[0]}: ${Buffer.concat(wrong)}`)
  return Buffer.concat(said).toString().trim()
}
