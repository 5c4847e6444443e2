/** Renders a page: compiles it, runs it in an isolate, highlights code and reads the HTML. */

import type { Problem } from '../../base/errors/problem.ts'
import { hashParts } from '../../base/hash.ts'
import { isInternalError } from '../../base/internal-error.ts'
import type { FromChild, RenderJob, RenderStage, StageTimes } from '../bodies/protocol.ts'
import { type CompileDeps, type CompiledPage, compilePage, type PageMark } from '../compile/compile-page.ts'
import { createUnreadBody, parseBody } from '../compile/compile-repair.ts'
import { renderMath } from '../compile/math.ts'
import { type CodeHighlighter, type ColouredCode, plainCode } from '../highlight/highlight.ts'
import { createIslandModuleSources, listInheritedImports } from '../islands/island-body.ts'
import type { RenderedBody } from '../page/body.ts'
import { createLostPageProblem, createPlainBody } from '../page/plain-body.ts'
import { listTocEntries } from '../page/table-of-contents.ts'
import type { Failure, PageOutcome } from '../tree/program.ts'
import type { IsolateHost } from './isolate-host.ts'
import { readBody } from './read-body.ts'

export interface PageJobDeps {
  isolates: IsolateHost
  highlighter: CodeHighlighter
  send(message: FromChild, attached?: Uint8Array): void
}

/** Number of failed components after which a page is rendered without its code. */
const MAX_FAILED_COMPONENTS = 4
/** Texts below this length are parsed in a fraction of a second, without notifying the parent. */
const SHORT_TEXT_CHARACTERS = 1000

/** Rejects only with errors that `isInternalError` recognizes, never because of the page. */
export async function runPageJob(deps: PageJobDeps, job: RenderJob): Promise<void> {
  const times: StageTimes = { compile: 0, render: 0, highlight: 0 }
  const disabled = new Set(job.disabled)
  const timed = async <T>(stage: RenderStage, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now()
    deps.send({ kind: 'stage', id: job.id, stage })
    try {
      return await work()
    } finally {
      times[stage] += performance.now() - start
    }
  }
  const finish = (body: RenderedBody) =>
    deps.send({ kind: 'done', id: job.id, disabled: [...disabled], times }, Buffer.from(JSON.stringify(body)))
  const giveUp = (why: string, problems: readonly Problem[] = []) =>
    finish(
      createPlainBody(job.request, [
        ...problems,
        createLostPageProblem(job.request.file, job.request.bodyLine, why),
      ]),
    )

  let page: CompiledPage
  try {
    page = await timed('compile', () =>
      compilePage(
        { scripts: job.scripts, math: renderMath, parse: createGuardedParse(deps, job) },
        job.request,
      ),
    )
  } catch (error) {
    return giveUp(describeError(error))
  }
  let run: { outcome: PageOutcome; isCodeOff: boolean } | { why: string }
  try {
    run = await timed('render', () => runProgram(deps, job, page, disabled))
  } catch (error) {
    return giveUp(describeError(error), page.problems)
  }
  if ('why' in run) return giveUp(run.why, page.problems)
  const { outcome, isCodeOff } = run
  const codes = await timed('highlight', () => highlightAll(deps, job, outcome))
  const problems = [
    ...page.problems,
    ...outcome.failures.flatMap((failure) => createFailureProblem(failure, page.marks)),
    ...[...disabled].sort((a, b) => a - b).flatMap((mark) => createStoppedProblem(page.marks[mark])),
    ...(isCodeOff ? [createCodeDisabledProblem(job)] : []),
  ]
  finish(createBody(page, outcome, codes, problems))
}

/**
 * Notifies the parent before parsing. Parsing cannot be interrupted, so the parent must be able to kill the process.
 */
function createGuardedParse({ send }: PageJobDeps, { id, unparsed }: RenderJob): CompileDeps['parse'] {
  return (source, rules) => {
    if (source.length < SHORT_TEXT_CHARACTERS) return parseBody(source, rules)
    const text = hashParts(source)
    if (unparsed.includes(text)) return createUnreadBody(source)
    send({ kind: 'parse', id, text, characters: source.length })
    try {
      return parseBody(source, rules)
    } finally {
      send({ kind: 'stage', id, stage: 'compile' })
    }
  }
}

/** Runs the program. Repeats the run with a component disabled if that component did not finish. */
function runProgram(
  deps: PageJobDeps,
  job: RenderJob,
  page: CompiledPage,
  disabled: Set<number>,
): { outcome: PageOutcome; isCodeOff: boolean } | { why: string } {
  let isCodeOff = job.isCodeOff
  let isGuarded = page.program.isGuarded || job.isGuarded
  for (;;) {
    const program = { ...page.program, disabled: [...disabled], isCodeOff, isGuarded }
    const onMark = (mark: number) => {
      const pageMark = page.marks[mark]
      if (pageMark) deps.send({ kind: 'mark', id: job.id, mark, ...pageMark })
    }
    const result = deps.isolates.run(program, { hasCode: page.hasCode && !isCodeOff, onMark })
    if (result.kind === 'done') return { outcome: result.outcome, isCodeOff }
    const { mark } = result
    if (!isGuarded) isGuarded = true
    else if (
      mark !== null &&
      page.marks[mark] &&
      !disabled.has(mark) &&
      disabled.size < MAX_FAILED_COMPONENTS
    )
      disabled.add(mark)
    else if (!isCodeOff) isCodeOff = true
    else return { why: result.why === 'failed' ? result.message : 'it takes too much time or memory' }
  }
}

async function highlightAll(
  deps: PageJobDeps,
  job: RenderJob,
  outcome: PageOutcome,
): Promise<ColouredCode[]> {
  const highlighted: ColouredCode[] = []
  for (const code of outcome.codes) {
    try {
      highlighted.push(
        job.isHighlightOff
          ? plainCode(code.code)
          : await deps.highlighter.highlight(code, job.request.codeThemes),
      )
    } catch (error) {
      if (isInternalError(error)) throw error
      highlighted.push(plainCode(code.code)) // unsupported by the grammars
    }
  }
  return highlighted
}

function createBody(
  page: CompiledPage,
  outcome: PageOutcome,
  codes: readonly ColouredCode[],
  problems: readonly Problem[],
): RenderedBody {
  const { anchors, ...read } = readBody(page.program.token, outcome, { codes, parts: page.parts })
  const shown = new Set(read.sections.map(({ id }) => id))
  // Excludes headings for agents from the table of contents.
  const isShown = (id: string) => shown.has(id) || !outcome.html.includes('<o-agents>')
  return {
    ...read,
    anchors: { ...anchors, isOpen: outcome.islands.length > 0 },
    toc: listTocEntries(outcome.headings, isShown),
    usesMath: page.usesMath,
    usesMermaid: outcome.usesMermaid,
    updateTags: outcome.updateTags,
    islands:
      outcome.islands.length === 0
        ? null
        : {
            uses: outcome.islands,
            texts: createIslandModuleSources(page.program, page.moduleTexts, outcome.islands),
            inheritedImports: listInheritedImports(page.program),
          },
    problems,
    samples: page.samples,
  }
}

const BROWSER_NAME =
  /^(?:window|document|navigator|location|localStorage|sessionStorage|fetch) is not defined/

function createFailureProblem(failure: Failure, marks: readonly PageMark[]): Problem[] {
  const mark = marks[failure.mark]
  if (!mark) return []
  const { code, message, remedy } = describeFailure(failure, mark.label)
  const level = failure.kind === 'component' || failure.kind === 'module' ? 'error' : 'warning'
  return [{ file: mark.file, line: mark.line, code, level, message, remedy }]
}

type ProblemText = Pick<Problem, 'code' | 'message' | 'remedy'>

function describeFailure(failure: Failure, label: string): ProblemText {
  const { kind, detail } = failure
  switch (kind) {
    case 'undefined_name':
      return {
        code: 'mdx.expression',
        message: `The name ${detail} in ${label} is not defined.`,
        remedy: 'Escape the brace as \\{ or put the text in backticks. If it is code, define the name.',
      }
    case 'expression':
      return {
        code: 'mdx.expression',
        message: `The expression ${label} failed: ${detail}.`,
        remedy: 'Correct the expression, or put it in backticks if it is text.',
      }
    case 'unknown_component':
      return {
        code: 'mdx.unknown_component',
        message: `Unknown component <${detail}>. Only its content is shown.`,
        remedy: 'Use a built-in component, import the component, or remove the tag.',
      }
    case 'component':
      return {
        code: 'mdx.component_failed',
        message: `The component <${label}> failed: ${detail}.`,
        remedy: BROWSER_NAME.test(detail)
          ? 'Move code that needs a browser into useEffect or an event handler. Until then, only its content is shown.'
          : 'Correct the component or its props. Until then, only its content is shown.',
      }
    case 'browser_only':
    case 'island':
      return locateProblem(failure, label)
    case 'module':
      return {
        code: 'mdx.module_failed',
        message: `The ${label} failed: ${detail}.`,
        remedy: 'Correct the code. Until then, its exports are not available.',
      }
  }
}

function locateProblem({ kind, detail }: Failure, label: string): ProblemText {
  if (kind === 'browser_only') {
    return {
      code: 'mdx.browser_only',
      message: `The component <${label}> cannot be rendered on the server: ${detail}. It is rendered only in the browser.`,
      remedy:
        'Move code that needs a browser into useEffect or an event handler, so that search can index the content.',
    }
  }
  return {
    code: 'mdx.island',
    message: `The component <${label}> cannot run in the browser: ${detail}. Only its initial state is shown.`,
    remedy:
      'Pass only strings, numbers, lists and elements as props, and define functions inside the component.',
  }
}

function createStoppedProblem(mark: PageMark | undefined): Problem[] {
  if (!mark) return []
  return [
    {
      file: mark.file,
      line: mark.line,
      code: 'mdx.endless',
      level: 'error',
      message: `Stopped ${mark.label} because it uses too much time or memory.`,
      remedy: 'Correct the code. It must finish within one second.',
    },
  ]
}

function createCodeDisabledProblem(job: RenderJob): Problem {
  return {
    file: job.request.file,
    line: job.request.bodyLine,
    code: 'mdx.endless',
    level: 'error',
    message: 'The code of this page uses too much time or memory, so the page is shown without it.',
    remedy: 'Correct the expressions and components of the page.',
  }
}

function describeError(error: unknown): string {
  if (isInternalError(error)) throw error
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
}
