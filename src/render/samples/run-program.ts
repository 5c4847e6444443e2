/**
 * Runs samples with the operator's command, which gets the language as its argument and the sample on standard input.
 * Each has a temporary folder, no environment but a path, and limits on time, memory and output; isolation is up to
 * the command.
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProgramEnd, runLimited } from '../../base/limited-program.ts'
import { failedSample, type SampleResult } from '../bodies/protocol.ts'
import type { Sample } from '../page/body.ts'

type ProgramSample = Pick<Sample, 'language' | 'code'>

const LIMITS = { isGroup: true, addressSpace: 8 << 20, processorSeconds: 10 }
const TIMEOUT_MS = 60_000
/** Time limit for all samples of a site together, so that they do not delay the site. */
const MAX_TOTAL_MS = 300_000
const MAX_OUTPUT_BYTES = 100_000
const PATH = '/usr/local/bin:/usr/bin:/bin'
/** Matches language names that are safe as an argument, because they cannot be mistaken for an option. */
const LANGUAGE = /^[a-z0-9][\w+#.-]{0,40}$/i

/** Returns the results in the order of the samples. */
export async function runPrograms(
  command: string,
  samples: readonly ProgramSample[],
): Promise<SampleResult[]> {
  const results: SampleResult[] = []
  const end = performance.now() + MAX_TOTAL_MS
  for (const sample of samples)
    results.push(
      performance.now() > end
        ? failedSample('It was not run because the samples before it took too much time')
        : await runProgram(command, sample),
    )
  return results
}

async function runProgram(command: string, { language, code }: ProgramSample): Promise<SampleResult> {
  if (!LANGUAGE.test(language)) return failedSample('The name of its language cannot be passed to a command')
  const folder = join(tmpdir(), `octavo-sample-${randomUUID()}`)
  try {
    // The shell creates the folder, because this process cannot write files itself.
    const script = `mkdir -m 700 "$0" && cd "$0" || exit 1\n${command} "$@"`
    const end = await runShell([script, folder, language], folder, code)
    if (end.kind === 'stopped')
      return failedSample(
        end.limit === 'time'
          ? `It runs for more than ${TIMEOUT_MS / 1000} seconds`
          : `It writes more than ${MAX_OUTPUT_BYTES} bytes`,
      )
    if (end.kind !== 'exited') return failedSample('It was stopped because it uses too much time or memory')
    if (end.code === 0) return { output: end.output.toString(), error: null }
    const said = end.stderr.trim().split('\n').at(-1)?.trim() ?? ''
    const reason = said === '' ? '' : `: ${said.slice(0, 300).toWellFormed()}`
    return failedSample(`It exits with code ${end.code}${reason}`)
  } finally {
    await runShell(['rm -rf -- "$0"', folder], folder, '')
  }
}

function runShell(args: readonly string[], folder: string, input: string): Promise<ProgramEnd> {
  const env = { PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' }
  const limits = { limits: LIMITS, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES }
  return runLimited({ program: '/bin/sh', args: ['-c', ...args], cwd: tmpdir(), env, ...limits, input })
}
