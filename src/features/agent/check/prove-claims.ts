/**
 * What the agent says to rest on code is looked up before anybody reads it: the repository, the file and the lines at the
 * commit that the turn reads, and that the quoted text stands there. What does not is left out, and said.
 */

import { linesUrl } from '../../../git/source-lines.ts'
import type { ToolResult } from '../../../model/model.ts'
import type { CodeDesk } from '../code/code-desk.ts'
import { plural } from '../loop/result-text.ts'
import { type CodeClaim, ToolRefusal } from '../loop/tool.ts'
import type { CodeReference } from '../operations/agent-review.ts'
import type { Run } from '../run.ts'

/** Characters; a bracket stands anywhere. */
const LEAST_QUOTE = 3

/** `result` is that of the call that finished. */
export async function proveClaims(
  { said, code, workSignal }: Pick<Run, 'said' | 'code' | 'workSignal'>,
  result: ToolResult,
): Promise<ToolResult> {
  const { finish } = said
  if (finish?.claims === undefined) return result
  const references: CodeReference[] = []
  const dropped: string[] = []
  for (const claim of finish.claims) {
    const found = await prove(code, claim, workSignal)
    if (typeof found === 'string') dropped.push(found)
    else references.push(found)
  }
  const { claims: _, ...account } = finish
  said.finish = { ...account, references, dropped }
  if (dropped.length === 0) return result
  const told = dropped.map((one) => `- ${one}`).join('\n')
  return {
    ...result,
    text: `${result.text}\n${plural(dropped.length, 'reference')} left out, since nothing of the kind was found there:\n${told}`,
  }
}

/** A sentence when it does not hold. */
async function prove(code: CodeDesk, claim: CodeClaim, signal: AbortSignal): Promise<CodeReference | string> {
  const { repository, path, line: first, endLine: last, quote } = claim
  const place = `${path} ${first === last ? `L${first}` : `L${first}–L${last}`} of ${repository}`
  const because = (why: string) => `“${claim.claim}”, by ${place}: ${why}`
  if (code.names.length === 0) return because('the project has no code repository')
  try {
    const found = await code.readLines(repository, { path, first, last }, signal)
    if (found === null) return because('there are no such lines')
    if (bare(quote).length < LEAST_QUOTE) return because('the quoted text is too short to tell lines apart')
    if (!bare(found.text).includes(bare(quote))) return because('the quoted text does not stand there')
    const { commit, name, row } = found
    const whole = [row.docs_folder, path].filter(Boolean).join('/')
    const link = linesUrl(row, { commit, path: whole, first, last })
    return {
      claim: claim.claim,
      repository: name,
      commit,
      path: whole,
      firstLine: first,
      lastLine: last,
      link,
    }
  } catch (error) {
    signal.throwIfAborted()
    return because(error instanceof ToolRefusal ? error.message : 'it could not be looked up now')
  }
}

/** Blanks are no difference: models count them badly. */
function bare(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
