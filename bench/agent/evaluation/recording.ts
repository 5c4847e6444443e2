/** Helpers for writing the recorded conversation of a task. */
import type { RecordedResponse } from '../../../src/model/replay-file.ts'

interface Call {
  name: string
  input: unknown
}

export function turns(...answers: readonly (readonly Call[])[]): RecordedResponse[] {
  return answers.map((toolCalls) => ({ toolCalls: [...toolCalls] }))
}

export const read = (path: string): Call => ({ name: 'read_file', input: { path } })
export const search = (query: string): Call => ({ name: 'search', input: { query } })
export const edit = (path: string, oldText: string, newText: string): Call => ({
  name: 'edit_file',
  input: { path, oldText, newText },
})
export const write = (path: string, text: string): Call => ({ name: 'write_file', input: { path, text } })
export const move = (from: string, to: string): Call => ({ name: 'move_file', input: { from, to } })
export const remove = (path: string): Call => ({ name: 'delete_file', input: { path } })
export const navigate = (input: object): Call => ({ name: 'update_navigation', input })

export const diffCode = (from: string, to: string): Call => ({
  name: 'diff_code',
  input: { repository: 'keepsake', from, to },
})
export const searchCode = (query: string): Call => ({
  name: 'search_code',
  input: { repository: 'keepsake', query },
})
export const readCode = (path: string): Call => ({
  name: 'read_code',
  input: { repository: 'keepsake', path },
})

/** Adds the lines of code that the call is based on. */
export function resting(call: Call, ...references: readonly object[]): Call {
  const named = references.map((reference) => ({ repository: 'keepsake', ...reference }))
  return { ...call, input: { ...(call.input as object), references: named } }
}

/** Uses the summary as the reason for each path. */
export function finish(title: string, summary: string, ...paths: readonly string[]): Call {
  const reasons = paths.map((path) => ({ path, reason: summary }))
  return { name: 'finish', input: { title, summary, reasons } }
}
