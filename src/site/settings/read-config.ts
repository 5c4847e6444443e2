/** Parses docs.json into settings with all defaults; the navigation is parsed elsewhere. */

import { WIDGETS, type Widget, type WidgetSet } from '../../base/api/widgets.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { getField, isFields, isList, type JsonNode } from '../json.ts'
import { readFlag, reportSetting } from '../read-json.ts'
import { banner, footer, navbar } from './chrome-schema.ts'
import type { SiteConfig } from './config.ts'
import { DEFAULT_PRIMARY } from './look-schema.ts'
import { readSetting } from './read-setting.ts'
import type { SettingScope } from './schema-parts.ts'
import { icons, SETTINGS_SCHEMA, type Settings } from './settings-schema.ts'

/** Reports each invalid setting once and uses its default. */
export function readConfig(problems: Problem[], root: JsonNode): SiteConfig {
  requireKeys(problems, root)
  const { library } = readSetting(
    { problems: [], library: 'fontawesome' },
    icons,
    getField(root, 'icons'),
    'icons',
  )
  const settings = readSetting({ problems, library }, SETTINGS_SCHEMA, root, '')
  const { $schema, navigation, redirects, public: _, feedback, errors, ...config } = settings
  return {
    ...config,
    feedback: readWidgetChoices(feedback, isTelemetryOff(root)),
    errors: { notFound: errors['404'] },
    languages: readLanguages({ problems: [], library }, getField(getField(root, 'navigation'), 'languages')),
  }
}

function requireKeys(problems: Problem[], root: JsonNode): void {
  const missing: [string, JsonNode | undefined, string][] = [
    ['name', getField(root, 'name'), 'Documentation'],
    ['colors.primary', getField(getField(root, 'colors'), 'primary'), DEFAULT_PRIMARY],
  ]
  for (const [path, node, value] of missing) {
    if (node) continue
    const message = `${path} is missing. The default ${value} is used.`
    reportSetting(
      problems,
      root,
      'config.required',
      'warning',
      message,
      `Add ${path} to ${root.source.file}.`,
    )
  }
}

const WIDGET_SETTINGS = {
  thumbs: 'thumbsRating',
  code: 'codeSnippet',
  suggestEdit: 'suggestEdit',
  raiseIssue: 'raiseIssue',
} as const satisfies Record<Widget, keyof Settings['feedback']>

/** `enabled: false` disables widgets that have no separate setting; disabled telemetry disables all widgets. */
function readWidgetChoices(feedback: Settings['feedback'], isOff: boolean): Partial<WidgetSet> {
  const chosen: Partial<WidgetSet> = {}
  for (const widget of WIDGETS) {
    const own = feedback[WIDGET_SETTINGS[widget]]
    const value = isOff ? false : (own ?? (feedback.enabled === false ? false : null))
    if (value !== null) chosen[widget] = value
  }
  return chosen
}

function isTelemetryOff(root: JsonNode): boolean {
  const telemetry = getField(getField(root, 'integrations'), 'telemetry')
  return readFlag([], getField(telemetry, 'enabled'), '') === false
}

/** Parses the settings that languages override. Their problems are reported with the navigation, not here. */
function readLanguages(scope: SettingScope, node: JsonNode | undefined): SiteConfig['languages'] {
  const languages: Record<string, SiteConfig['languages'][string]> = {}
  for (const entry of node && isList(node.value) ? node.value : []) {
    const code = getField(entry, 'language')?.value
    if (typeof code !== 'string' || !isFields(entry.value) || code === '__proto__') continue
    const own: SiteConfig['languages'][string] = {}
    if (entry.value.has('banner'))
      own.banner = readSetting(scope, banner, getField(entry, 'banner'), 'banner')
    if (entry.value.has('footer'))
      own.footer = readSetting(scope, footer, getField(entry, 'footer'), 'footer')
    if (entry.value.has('navbar'))
      own.navbar = readSetting(scope, navbar, getField(entry, 'navbar'), 'navbar')
    if (Object.keys(own).length > 0) languages[code] = own
  }
  return languages
}
