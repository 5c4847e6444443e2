/**
 * The agent loop: alternates between responses of the model and the tool calls in them, until the model finishes. Each
 * step is saved before the next one starts. A later attempt needs nothing but the saved state.
 */

import { isDeepStrictEqual } from 'node:util'
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import { GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import { ProcessLimitError } from '../../../base/process-limit-error.ts'
import { toStorable } from '../../../base/text/storable.ts'
import { linesUrl } from '../../../git/source-lines.ts'
import {
  ModelError,
  type ModelMessage,
  type ModelResponse,
  type ToolCall,
  type ToolResult,
} from '../../../model/model.ts'
import { requestWithRetry } from '../../../model/retrying.ts'
import type { CodeReader } from '../code/code-reader.ts'
import { withImage } from '../edit/describe-picture.ts'
import type { AgentEvent } from '../operations/agent.ts'
import type { CodeReference } from '../operations/agent-review.ts'
import { areSameChanges, toImage } from '../review/change-content.ts'
import { askPerson } from '../tools/ask-person.ts'
import { placePicture as tool } from '../tools/place-picture.ts'
import { type Run, updateRun } from '../turn-context.ts'
import { saveStep, shortened } from '../turn-store.ts'
import { reportWaiting } from '../wait-for-service.ts'
import { checkBudget, describeBudget } from './budget.ts'
import { compactConversation } from './compact-conversation.ts'
import { plural } from './result-text.ts'
import { type CodeClaim, ToolRefusal } from './tool.ts'
import { findBackend, runAsResult } from './toolbox.ts'

/** Minimum number of characters of a quotation; a shorter one, such as a single bracket, occurs almost anywhere. */
const MIN_QUOTE_LENGTH = 3
const MAX_QUOTE_LENGTH = 300

const MAX_CALLS = 20
const MAX_REPEATS = 8
const MAX_IDLE_ANSWERS = 3
/** Minimum size for compaction, in bytes. If a conversation of this size is too long for the model, the turn fails. */
const MIN_ROOM_BYTES = 12_000

/** Maximum number of images shown to the model per job, because each image is sent again with every step. */
const MAX_SHOWN_IMAGES = 8
const MAX_EVENT_TEXT_CHARACTERS = 2000
const MAX_EVENT_INPUT_CHARACTERS = 300
const MAX_EVENT_RESULT_CHARACTERS = 600

const NO_TOOL_REMINDER =
  'You used no tool. If the work is done, call `finish`, which is the only way to end. Otherwise, continue.'

const ASKED = 'The question was sent. You continue when the answer arrives as the next message.'

/**
 * Returns when the model has finished, or has asked a question. Throws UnfinishedError, PermanentError,
 * ModelError, or the signal's reason.
 */
export async function runAgentLoop(run: Run): Promise<void> {
  while (run.job.finished_at === null && run.job.question === null) {
    checkBudget(run)
    const answer = await run.timed('model', () => callModel(run))
    refuseRunaways(run, answer)
    const before = new Map(run.workspace.changes)
    const planBefore = run.said.plan
    const results = await run.timed('tools', () => useTools(run, answer.toolCalls))
    const messages = stepMessages(run, answer, results)
    const changes = areSameChanges(before, run.workspace.changes) ? null : run.workspace.changes
    const step = {
      messages,
      changes,
      plan: run.said.plan,
      finish: run.said.finish,
      question: run.said.question ?? null,
      usage: answer.usage,
      countedTokens: run.deps.weighTokens(run.model.name, answer.usage),
      workedMs: run.clock.workedMs(),
      costMicros: costMicros(run, answer),
      pictureSources: Object.fromEntries(run.pictureSources),
      events: stepEvents(run, answer, results, { isChanged: changes !== null, plan: planBefore }),
    }
    await run.timed('save', () => updateRun(run, (tx) => saveStep(tx, run.held, step)))
    run.messages.push(...messages)
  }
}

/** Calls the model. Compacts the conversation further while the model rejects it as too long. */
async function callModel(run: Run): Promise<ModelResponse> {
  for (;;) {
    try {
      const request = {
        system: run.system,
        messages: compactConversation(run.messages, run.room.bytes),
        tools: run.offered,
        maxOutputTokens: run.room.maxOutputTokens,
      }
      return await requestWithRetry(run.model, request, {
        signal: run.workSignal,
        patienceMs: run.deps.patienceSeconds * 1000,
        async onWait(seconds) {
          run.clock.excuse(seconds * 1000)
          await reportWaiting(run, 'the AI model', seconds)
        },
      })
    } catch (error) {
      const canCompact =
        error instanceof ModelError && error.reason === 'too_long' && run.room.bytes > MIN_ROOM_BYTES
      if (!canCompact) throw error
      run.room.bytes /= 2
    }
  }
}

function refuseRunaways(run: Run, answer: ModelResponse): void {
  if (answer.finish === 'refused')
    throw new PermanentError(
      'model_failed',
      "The model's provider refused to answer: its content filter ended the conversation.",
    )
  const spoken = [...run.messages, { role: 'assistant', ...answer } as const].filter(
    (message) => message.role === 'assistant',
  )
  const idle = spoken.slice(-MAX_IDLE_ANSWERS)
  if (idle.length === MAX_IDLE_ANSWERS && idle.every(({ toolCalls }) => toolCalls.length === 0)) {
    const said = answer.text.trim() === '' ? 'nothing' : `“${shortened(answer.text.trim(), 300)}”`
    throw new PermanentError(
      'model_failed',
      `The model stopped without finishing the job. Its last message: ${said}`,
    )
  }
  const calls = spoken.flatMap(({ toolCalls }) => toolCalls).slice(-MAX_REPEATS)
  const [first] = calls
  if (first !== undefined && calls.length === MAX_REPEATS && calls.every((call) => isSameCall(call, first)))
    throw new PermanentError(
      'model_failed',
      `The model is repeating itself: it called ${shortened(first.name, 60)} ${MAX_REPEATS} times in a row with the same input.`,
    )
}

function isSameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && isDeepStrictEqual(a.input, b.input)
}

/** Runs the calls sequentially in the order of the response, because later ones may depend on earlier ones. */
async function useTools(run: Run, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const results: ToolResult[] = []
  for (const [index, call] of calls.entries()) {
    run.workSignal.throwIfAborted()
    results.push(index < MAX_CALLS ? await useTool(run, call, results) : tooManyCallsResult(call))
  }
  return results.map((result) => toStorable(result))
}

/** A tool that fails because of an internal error produces an error result and does not end the job. */
async function useTool(run: Run, call: ToolCall, before: readonly ToolResult[]): Promise<ToolResult> {
  const { workSignal, log } = run
  const failed = (text: string) => ({ callId: call.id, name: call.name, text, isError: true })
  try {
    const result = await showImage(run, call, await dispatchTool(run, call), before)
    if (call.repair === undefined) return result
    return { ...result, text: `${result.text}\n(Your input was repaired: ${call.repair}.)` }
  } catch (error) {
    workSignal.throwIfAborted()
    const said = error instanceof Error ? error.stack : String(error)
    log.warn({ tool: call.name, error: said }, 'agent.tool_failed')
    if (error instanceof ProcessLimitError)
      return failed(`The tool was stopped. ${error.message} Request less at once, or undo the last change.`)
    return failed('The tool failed because of an internal error. Try another way, or try again later.')
  }
}

/** If the call has read an image of the docs, adds it to the result for a model with vision. */
async function showImage(
  run: Run,
  { name, input }: ToolCall,
  result: ToolResult,
  before: readonly ToolResult[],
): Promise<ToolResult> {
  const path = (input as { path?: unknown } | null)?.path
  if (!run.seesPictures || name !== 'read_file' || result.isError || typeof path !== 'string') return result
  const earlier = run.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  if ([...earlier, ...before].filter(({ picture }) => picture !== undefined).length >= MAX_SHOWN_IMAGES)
    return result
  return await withImage(run.workspace.tree, path, result)
}

function tooManyCallsResult({ id, name }: ToolCall): ToolResult {
  const text = `Not run: one answer can contain at most ${MAX_CALLS} tool calls. Call it again.`
  return { callId: id, name, text, isError: true }
}

/**
 * Appends the remaining budget to the last result, so that it is part of the conversation and never changes later.
 */
function stepMessages(run: Run, answer: ModelResponse, results: readonly ToolResult[]): ModelMessage[] {
  const { text, toolCalls, reasoning } = answer
  const said: ModelMessage = { role: 'assistant', text, toolCalls, ...(reasoning && { reasoning }) }
  const left = describeBudget(run, run.deps.weighTokens(run.model.name, answer.usage))
  const last = results.at(-1)
  if (last !== undefined) {
    const noted = { ...last, text: `${last.text}\n\n${left}` }
    return [said, { role: 'tool', results: [...results.slice(0, -1), noted] }]
  }
  const lengthNote = answer.finish === 'length' ? 'Your answer was cut off because it was too long. ' : ''
  return [said, { role: 'user', text: `${lengthNote}${NO_TOOL_REMINDER} ${left}` }]
}

function costMicros({ deps, model }: Run, { usage }: ModelResponse): number | null {
  const usd = deps.costOf(model.name, usage)
  return usd === null ? null : Math.round(usd * 1e6)
}

function stepEvents(
  run: Run,
  answer: ModelResponse,
  results: readonly ToolResult[],
  before: { isChanged: boolean; plan: Run['said']['plan'] },
): AgentEvent[] {
  const events: AgentEvent[] = []
  if (answer.text.trim() !== '')
    events.push({ type: 'text', data: { text: shortened(answer.text, MAX_EVENT_TEXT_CHARACTERS) } })
  for (const [index, { name, text, isError }] of results.entries()) {
    const input = shortened(JSON.stringify(answer.toolCalls[index]?.input) ?? '', MAX_EVENT_INPUT_CHARACTERS)
    const data = {
      name: shortened(name, 60),
      input,
      result: shortened(text, MAX_EVENT_RESULT_CHARACTERS),
      isError,
    }
    events.push({ type: 'tool', data })
  }
  if (run.said.plan !== before.plan) events.push({ type: 'plan', data: { items: run.said.plan } })
  if (before.isChanged) events.push({ type: 'changes', data: { files: run.workspace.changedFiles() } })
  return events
}

// Dispatches tool calls to the process that works on the docs, or to the modules for code repositories and other sites.

/** Rejects with the errors of the tools' processes, and with the signal's reason. */
async function dispatchTool(run: Run, call: ToolCall): Promise<ToolResult> {
  const { tools, code, pages, workSignal } = run
  const has = { code: code.names.length > 0, hosts: pages.hosts.length > 0, person: run.hasPerson }
  const backend = findBackend(call.name, has)
  if (backend === 'code') return await code.useTool(call, workSignal)
  if (backend === 'pages') return await pages.useTool(call, workSignal)
  if (backend === 'pictures') return await placeImage(run, call)
  if (backend === 'person') return await requestResponse(run, call)
  const result = await tools.useTool(call, workSignal)
  return call.name === 'finish' && !result.isError ? await verifyClaims(run, result) : result
}

/** The step that asks a question is the last one of its turn. */
function requestResponse({ said, workSignal: signal }: Run, call: ToolCall): Promise<ToolResult> {
  return runAsResult({ signal }, call, async () => {
    said.question = askPerson.read(call.input).question
    return ASKED
  })
}

// Adds an image from another site or a code repository to the docs. The server fetches it under the same rules as pages
// and code files, and the tools' process validates it before it becomes a change.
interface LoadedImage {
  bytes: Uint8Array
  /** Shown to people: the URL without its possibly secret parts, or repository, commit and file. */
  source: string
}

type ImageContext = Pick<Run, 'code' | 'pages' | 'tools' | 'workSignal'>

/** Rejects with the signal's reason, and with the errors of the tools' process. */
async function placeImage(run: ImageContext, call: ToolCall): Promise<ToolResult> {
  const { tools, workSignal } = run
  try {
    const { path, ...from } = tool.read(call.input)
    const { bytes, source } = await loadImage(run, from, workSignal)
    return await tools.placePicture(call, { path, picture: toImage(bytes), source }, workSignal)
  } catch (error) {
    workSignal.throwIfAborted()
    if (error instanceof ToolRefusal || error instanceof GuardedFetchError)
      return { callId: call.id, name: call.name, text: error.message, isError: true }
    throw error
  }
}

interface ImageOrigin {
  url?: string | undefined
  repository?: string | undefined
  file?: string | undefined
}

async function loadImage(
  { code, pages }: ImageContext,
  { url, repository, file }: ImageOrigin,
  signal: AbortSignal,
): Promise<LoadedImage> {
  if (url !== undefined && repository === undefined && file === undefined) {
    if (pages.hosts.length === 0)
      throw new ToolRefusal('No other hosts are allowed in this project. Use pictures from its repositories.')
    return await pages.fetchPicture(url, signal)
  }
  if (url === undefined && repository !== undefined && file !== undefined) {
    if (code.names.length === 0)
      throw new ToolRefusal('This project has no code repository. Use pictures from the allowed hosts.')
    return await code.readImage(repository, file, signal)
  }
  throw new ToolRefusal('Set either `url`, or both `repository` and `file`.')
}

// Verifies the agent's claims about code before anyone reads them: the repository, file and lines must exist at the
// commit of the turn, and contain the quoted text. Claims that fail are left out and reported.

/** `result` belongs to the `finish` call. */
async function verifyClaims(
  { said, code, workSignal }: Pick<Run, 'said' | 'code' | 'workSignal'>,
  result: ToolResult,
): Promise<ToolResult> {
  const { finish } = said
  if (finish?.claims === undefined) return result
  const references: CodeReference[] = []
  const dropped: string[] = []
  for (const claim of finish.claims) {
    const found = await verifyClaim(code, claim, workSignal)
    if (typeof found === 'string') dropped.push(found)
    else references.push(found)
  }
  const { claims: _, ...account } = finish
  said.finish = { ...account, references, dropped }
  if (dropped.length === 0) return result
  const lines = dropped.map((one) => `- ${one}`).join('\n')
  return {
    ...result,
    text: `${result.text}\n${plural(dropped.length, 'reference')} omitted, because the quoted code was not found there:\n${lines}`,
  }
}

async function verifyClaim(
  code: CodeReader,
  claim: CodeClaim,
  signal: AbortSignal,
): Promise<CodeReference | string> {
  const { repository, path, line: first, endLine: last, quote } = claim
  const location = `${path} ${first === last ? `L${first}` : `L${first}–L${last}`} of ${repository}`
  const because = (why: string) => `“${claim.claim}”, by ${location}: ${why}`
  if (code.names.length === 0) return because('the project has no code repository')
  try {
    const found = await code.readLines(repository, { path, first, last }, signal)
    if (found === null) return because('these lines do not exist')
    if (withoutWhitespace(quote).length < MIN_QUOTE_LENGTH)
      return because('the quoted text is too short to tell lines apart')
    if (!withoutWhitespace(found.text).includes(withoutWhitespace(quote)))
      return because('the quoted text is not in these lines')
    if (!sharesWords(quote, claim.claim))
      return because(
        'the quoted text contains no name, value or word of the statement: quote the line that supports it',
      )
    const { commit, name, row } = found
    const fullPath = [row.docs_folder, path].filter(Boolean).join('/')
    const link = linesUrl(row, { commit, path: fullPath, first, last })
    return {
      claim: claim.claim,
      repository: name,
      commit,
      path: fullPath,
      firstLine: first,
      lastLine: last,
      quote: shortened(withoutWhitespace(quote), MAX_QUOTE_LENGTH),
      link,
    }
  } catch (error) {
    signal.throwIfAborted()
    return because(error instanceof ToolRefusal ? error.message : 'it could not be checked now')
  }
}

/** Common words, which prove nothing about code. */
const STOP_WORDS = new Set(
  'the and for are was were has have had with from that this these those not can may must will when where which than then its into only also each per one all any but you your our they there here been being does use used uses using set sets value name'.split(
    ' ',
  ),
)

/** Returns whether a word, name or number of the claim occurs in the quotation. Proves no more than that. */
function sharesWords(quote: string, claim: string): boolean {
  const said = new Set(splitWords(quote))
  return splitWords(claim).some((word) => said.has(word))
}

/** Returns the same words for `rateLimit`, `rate_limit` and "rate limits". */
function splitWords(text: string): string[] {
  const words = text
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu)
  return (words ?? [])
    .filter((word) => /\d/.test(word) || (word.length >= 3 && !STOP_WORDS.has(word)))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}

/** Removes white space, because models often get its amount wrong. */
function withoutWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
