/**
 * Runs the `vale` program that the operator has configured to replace the built-in rules. The program receives a folder
 * with the settings, the styles and the changed pages. It has no network, and its time, memory and output are limited.
 * Files that name paths outside that folder are left out.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Problem } from '../../../../base/errors/problem.ts'
import type { FileTree } from '../../../../base/files/file-tree.ts'
import { runLimited } from '../../../../base/limited-program.ts'
import { findText } from '../../edit/change-files.ts'
import type { FileChange } from '../../publish/workspace.ts'
import { shortened } from '../../turn-store.ts'
import { findAddedProblems } from '../compare-problems.ts'
import { findValeFile, parseValeSettings } from './vale-settings.ts'

const TIMEOUT_MS = 60_000
const LIMITS = { isGroup: true, addressSpace: 4 << 20, processorSeconds: 60 }
const MAX_OUTPUT_BYTES = 8 << 20
const MAX_PAGES = 300
const MAX_STYLE_FILES = 2000
const MAX_ALERTS = 1000
const PAGE = /\.mdx?$/
/** Keys and list items whose values may be paths. */
const KEY = /^[ \t]*(?:StylesPath|dicpath|ignore|script)[ \t]*[:=]|^[ \t]*-/
const OUTSIDE = /^[\s"'[]*[/~]|\.\.(?:[/\s"']|$)/

export interface ValeResult {
  problems: Problem[]
  /** Number of files with rules. */
  rules: number
  undone: string[]
}

/** Uses the rules from before the change. Returns null if there are no rules, or no page has changed. */
export async function checkWithVale(
  program: string,
  { before, after, changes }: { before: FileTree; after: FileTree; changes: readonly FileChange[] },
  signal: AbortSignal,
): Promise<ValeResult | null> {
  const settings = findValeFile(before)
  const pages = changes.filter(({ path }) => PAGE.test(path)).slice(0, MAX_PAGES)
  if (settings === undefined || pages.length === 0) return null
  const text = (await findText(before, settings)) ?? ''
  if (hasOutsidePath(text)) return { problems: [], rules: 0, undone: ['StylesPath'] }
  const { stylesPath } = parseValeSettings(text)
  const styles = [...before.files.keys()].filter((path) => path.startsWith(`${stylesPath}/`))
  const folder = await mkdtemp(join(tmpdir(), 'octavo-vale-'))
  try {
    const undone: string[] = []
    for (const side of ['before', 'after']) {
      await writeFileInFolder(join(folder, side), '.vale.ini', text)
      for (const path of styles.slice(0, MAX_STYLE_FILES)) {
        const rule = (await findText(before, path)) ?? ''
        if (hasOutsidePath(rule)) undone.push(path)
        else await writeFileInFolder(join(folder, side), path, rule)
      }
    }
    const alerts = async (side: 'before' | 'after', tree: FileTree) => {
      for (const { path } of pages) {
        const page = await findText(tree, path)
        if (page !== null) await writeFileInFolder(join(folder, side), path, page)
      }
      return toProblems(await run(program, join(folder, side), signal), pages)
    }
    const found = { before: await alerts('before', before), after: await alerts('after', after) }
    const problems = findAddedProblems(found, { changes, hadSite: true })
    const rules = styles.filter((path) => /\.ya?ml$/.test(path)).length
    return { problems, rules, undone: [...new Set(undone)] }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ValeError)) throw error
    return { problems: [], rules: 0, undone: [`the prose rules (vale: ${error.message})`] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function hasOutsidePath(text: string): boolean {
  return text.split('\n').some((line) => {
    const key = KEY.exec(line)
    return key !== null && OUTSIDE.test(line.slice(key[0].length))
  })
}

class ValeError extends Error {
  override name = 'ValeError'
}

async function writeFileInFolder(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

/** Runs the program in a separate network namespace, so that it has no network, and returns its output. */
async function run(program: string, cwd: string, signal: AbortSignal): Promise<string> {
  const own = ['--output=JSON', '--no-exit', '--no-global', '--config=.vale.ini', '.']
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd }
  const args = ['--map-root-user', '--net', '--', program, ...own]
  const limits = { limits: LIMITS, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES }
  const end = await runLimited({ program: 'unshare', args, cwd, env, ...limits }, signal)
  if (end.kind === 'stopped')
    throw new ValeError(end.limit === 'time' ? 'it took too long' : 'the output is too large')
  if (end.kind !== 'exited') throw new ValeError('it was stopped, or could not be started')
  const { code, output, stderr } = end
  if (code === 0) return output.toString()
  throw new ValeError(shortened(stderr.replace(/\s+/g, ' ').trim(), 300) || 'it failed')
}

/** Maps `{ "a.mdx": [{ "Check", "Line", "Message", "Severity" }] }`. */
function toProblems(output: string, pages: readonly FileChange[]): Problem[] {
  const found = parseOutput(output)
  return pages.flatMap(({ path }): Problem[] => {
    const alerts = found[path] ?? found[`./${path}`]
    if (!Array.isArray(alerts)) return []
    return alerts.slice(0, MAX_ALERTS).map(({ Check, Line, Message, Severity }): Problem => {
      const level = Severity === 'error' || Severity === 'warning' ? Severity : 'hint'
      const line = Number.isSafeInteger(Line) && Number(Line) > 0 ? Number(Line) : null
      const message = `${shortened(String(Message), 500)} (${shortened(String(Check), 100)})`
      return {
        file: path,
        line,
        code: 'prose.rule',
        level,
        message,
        remedy: 'Rewrite it to follow the rule.',
      }
    })
  })
}

function parseOutput(output: string): Record<string, Record<string, unknown>[] | undefined> {
  try {
    const found: unknown = JSON.parse(output.trim() || '{}')
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as never
  } catch {}
  throw new ValeError('its output is not JSON')
}
