/** Assistant script, loaded when the assistant is first opened. */
import type { AssistantGlobal } from '../assistant-opener.ts'
import { createPanel, type Panel } from './panel.ts'

let panel: Panel | null = null

;(globalThis as AssistantGlobal).__octavoAskAssistant = (selection, container) => {
  panel ??= createPanel(container ?? null)
  if (!container) panel.open(selection)
}
