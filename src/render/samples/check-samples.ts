/**
 * Checks the code samples marked for testing: runs scripts, and compares requests and data with API
 * descriptions.
 */
import type { Problem } from '../../base/errors/problem.ts'
import { asObject } from '../../openapi/api-json.ts'
import type { ApiDocument } from '../../site/reference/spec-document.ts'
import { readYaml } from '../../site/yaml.ts'
import type { SampleResult } from '../bodies/protocol.ts'
import type { Sample } from '../page/body.ts'
import { checkRequest } from './check-request.ts'
import { findMismatch } from './match-schema.ts'
import { readRequest } from './read-request.ts'
import { runPrograms } from './run-program.ts'
import { runScripts } from './run-scripts.ts'

type Apis = ReadonlyMap<string, ApiDocument>

const SCRIPT = /^(?:js|javascript|mjs|ts|typescript|mts)$/
const SHELL = /^(?:bash|sh|shell|zsh|console)$/
const DATA = /^(?:jsonc?|ya?ml)$/
const DATA_LIMITS = { depth: 100, values: 50_000 }

/**
 * Checks a sample only once if it is in a snippet that several pages use. `runner` is the operator's command for
 * languages that are not checked here.
 */
export async function checkSamples(
  found: readonly Sample[],
  apis: Apis,
  runner: string | null,
): Promise<Problem[]> {
  const samples = [
    ...new Map(found.map((sample) => [`${sample.file}:${sample.line}:${sample.code}`, sample])).values(),
  ]
  const { text = [], script = [], program = [] } = Object.groupBy(samples, kindOf)
  const scriptResults = await runScripts(
    script.map(({ code, language }) => ({ code, isTyped: /t/.test(language.replace('script', '')) })),
  )
  const programResults = runner === null ? null : await runPrograms(runner, program)
  return [
    ...text.flatMap((sample) => toProblem(sample, checkText(sample, apis))),
    ...script.flatMap((sample, index) => findResultProblems(sample, scriptResults[index])),
    ...program.flatMap((sample, index) =>
      programResults === null ? notRun(sample) : findResultProblems(sample, programResults[index]),
    ),
  ]
}

function kindOf({ language, schema, code, isImplied }: Sample): 'script' | 'program' | 'text' {
  if (schema !== null || DATA.test(language)) return 'text'
  if (SCRIPT.test(language)) return 'script'
  const isRequest =
    /^(?:http|curl)$/.test(language) || (SHELL.test(language) && readRequest(language, code) !== null)
  // A project that lists shell languages wants the requests in them checked; other shell commands must not be run.
  return isRequest || (SHELL.test(language) && isImplied) ? 'text' : 'program'
}

function findResultProblems(sample: Sample, result: SampleResult | undefined): Problem[] {
  const { error, output } = result as SampleResult
  if (error !== null) return toProblem(sample, error.message, error.line)
  if (sample.output === null || lines(sample.output) === lines(output)) return []
  return toProblem(sample, `It prints ${quote(output)} instead of ${quote(sample.output)}`)
}

function notRun({ file, line, language }: Sample): Problem {
  return {
    ...{ file, line, code: 'sample.not_run', level: 'hint' },
    message: `The ${language} sample is not run: no runner is configured for its language.`,
    remedy: 'Set OCTAVO_SAMPLE_RUNNER where the site is built, or remove run from the code fence.',
  }
}

function checkText(sample: Sample, apis: Apis): string | null {
  const { language, code, schema, output, isImplied } = sample
  if (schema !== null)
    return DATA.test(language)
      ? checkData(code, schema, apis)
      : 'Only JSON and YAML samples can have a schema'
  if (DATA.test(language)) return 'Data is compared with a schema. Add schema=Name to its code fence'
  const request = readRequest(language, code)
  if (request === null) return isImplied ? null : 'It is not a curl command or HTTP request'
  return apis.size === 0
    ? 'The site has no API description to check it against'
    : checkRequest(apis, request, output)
}

function checkData(code: string, name: string, apis: Apis): string | null {
  const read = readYaml(code, DATA_LIMITS)
  if ('fault' in read) return `It cannot be parsed: ${read.fault.reason}`
  for (const { root } of apis.values()) {
    const schema = asObject(asObject(root.components).schemas)[name]
    if (schema !== undefined) return findMismatch(root, schema, read.value)
  }
  return `No API description of the site has a schema named ${name}`
}

function toProblem(
  { file, line, language }: Sample,
  message: string | null,
  inner: number | null = null,
): Problem[] {
  if (message === null) return []
  return [
    {
      file,
      line: line === null || inner === null ? line : line + inner,
      code: 'sample.failed',
      level: 'warning',
      message: `The ${language} sample fails: ${message}.`,
      remedy: 'Correct the sample, or add run=false to its code fence.',
    },
  ]
}

/** Strips trailing white space, which does not count when outputs are compared. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

function quote(text: string): string {
  return JSON.stringify(lines(text).slice(0, 100))
}
