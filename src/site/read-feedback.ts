/** `feedback` of docs.json: which widgets the site asks for. The project's own settings go before it. */
import type { Problem } from '../contract/problem.ts'
import { WIDGETS, type Widget, type WidgetSet } from '../contract/widgets.ts'
import { fieldOf, type JsonNode } from './json.ts'
import { readFields, readFlag } from './read-json.ts'

const NAMES: Record<Widget, string> = {
  thumbs: 'thumbsRating',
  code: 'codeSnippet',
  suggestEdit: 'suggestEdit',
  raiseIssue: 'raiseIssue',
}

/** `enabled: false` switches off what is not switched on by name; telemetry that is off, all. */
export function readFeedback(
  problems: Problem[],
  node: JsonNode | undefined,
  telemetry: JsonNode | undefined,
): Partial<WidgetSet> {
  readFields(problems, node, 'feedback')
  const isAllowed = readFlag(problems, fieldOf(telemetry, 'enabled'), 'integrations.telemetry.enabled')
  const isEnabled = readFlag(problems, fieldOf(node, 'enabled'), 'feedback.enabled')
  const chosen: Partial<WidgetSet> = {}
  for (const widget of WIDGETS) {
    const name = NAMES[widget]
    const own = readFlag(problems, fieldOf(node, name), `feedback.${name}`)
    const value = isAllowed === false ? false : (own ?? (isEnabled === false ? false : null))
    if (value !== null) chosen[widget] = value
  }
  return chosen
}
