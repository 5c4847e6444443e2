/** How much of a model's context each request may fill. */
import { CODE_TOOL_NAMES } from '../contract/agent-tools.ts'
import type { ToolDescription } from '../model/model.ts'
import { TOOLS } from './toolbox.ts'

/** Of what models are sent here, prose and code; scripts without spaces take more bytes a token, not fewer. */
const BYTES_PER_TOKEN = 3
const MOST_OUTPUT_TOKENS = 16_000
/** Instructions of any length leave this part to the conversation. */
const LEAST_SHARE = 0.25

const DESCRIPTIONS: readonly ToolDescription[] = TOOLS.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema,
}))

/** What the model may use: tools that the project has nothing for are not told, and take no room. */
export function describeTools(has: { code: boolean; hosts: boolean }): readonly ToolDescription[] {
  const isCode = (name: string) => (CODE_TOOL_NAMES as readonly string[]).includes(name)
  const told = DESCRIPTIONS.filter(
    ({ name }) =>
      (has.code || !isCode(name)) &&
      (has.hosts || name !== 'fetch_page') &&
      (has.code || has.hosts || name !== 'place_picture'),
  )
  return has.code ? told : told.map((tool) => (tool.name === 'finish' ? withoutReferences(tool) : tool))
}

/** Only code bears out what references say. */
function withoutReferences(tool: ToolDescription): ToolDescription {
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, unknown> }
  const { references: _, ...others } = properties
  return { ...tool, inputSchema: { ...schema, properties: others } }
}

export interface Room {
  maxOutputTokens: number
  /** For the conversation. */
  bytes: number
}

export function roomOf(contextTokens: number, system: string, tools: readonly ToolDescription[]): Room {
  const maxOutputTokens = Math.min(MOST_OUTPUT_TOKENS, Math.floor(contextTokens / 4))
  const fixed = (Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(tools))) / BYTES_PER_TOKEN
  const tokens = Math.max(contextTokens * LEAST_SHARE, contextTokens - maxOutputTokens - fixed)
  return { maxOutputTokens, bytes: Math.floor(tokens * BYTES_PER_TOKEN) }
}
