/** A tool as the protocol lists and calls it. */
import type { Static, TObject } from 'typebox'
import { Check } from 'typebox/value'
import { explainFaults } from '../../base/errors/explain-faults.ts'
import { type Fault, nulFaults } from '../../base/errors/fault.ts'
import type { SiteDocs } from './site-docs.ts'

/** What a tool works on. */
export interface ToolSite {
  docs: SiteDocs
  /** Before the name of a file of the site: `https://docs.example.com/`. */
  base: string
  /** Null where nobody takes what is said. */
  submitFeedback: SubmitFeedback | null
}

/** Answers when it is kept. Throws ToolFault with what the sender can do. */
export type SubmitFeedback = (said: { path: string; feedback: string }) => Promise<{ id: string }>

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: TObject
  outputSchema?: object
  annotations: object
  /** Throws ToolFault. */
  call(site: ToolSite, given: unknown): Promise<ToolResult>
}

export interface ToolResult {
  text: string
  structured?: object
}

/** The call cannot be answered; the sentence tells a model what to do instead. */
export class ToolFault extends Error {
  override name = 'ToolFault'
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

/** `run` gets arguments that the schema has taken. */
export function defineTool<Input extends TObject>(
  tool: Omit<Tool, 'call' | 'inputSchema' | 'annotations'> & {
    input: Input
    annotations?: object
    run(site: ToolSite, given: Static<Input>): Promise<ToolResult>
  },
): Tool {
  const { input, run, annotations = READ_ONLY, ...about } = tool
  return {
    ...about,
    inputSchema: input,
    annotations,
    async call(site, given) {
      if (!Check(input, given)) throw faultOf(explainFaults(input, given, 'arguments'))
      const nuls = nulFaults(given)
      if (nuls.length > 0) throw faultOf(nuls)
      return run(site, given)
    },
  }
}

function faultOf(faults: readonly Fault[]): ToolFault {
  const sentences = faults.map(({ message }) => `${message}.`)
  return new ToolFault(sentences.join(' ') || 'The arguments do not fit the input schema of this tool.')
}
