/** `octavo projects widgets`: sets which feedback widgets the pages of a project show. */
import { changeWidgets, chooseProject, mainDomain } from '../../../app/operator/administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import { WIDGET_SETTINGS, type WidgetChoice } from '../../../base/api/widgets.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

type Setting = (typeof WIDGET_SETTINGS)[number]

/** Flag and description of each setting. */
const FLAGS: Record<Setting, { flag: string; help: string }> = {
  thumbs: { flag: 'thumbs', help: 'The vote at the end of each page.' },
  code: { flag: 'code', help: 'The button on each code block.' },
  suggestEdit: { flag: 'suggest-edit', help: 'The link that opens a page in the editor of the git host.' },
  raiseIssue: { flag: 'raise-issue', help: 'The link to a new issue at the git host.' },
  bundles: { flag: 'bundles', help: 'Whether exported bundles take feedback too (off by default).' },
}

const CHOICES = new Map<string, boolean | undefined>([
  ['on', true],
  ['off', false],
  ['default', undefined],
])

export const projectsWidgets: Command = {
  name: 'projects widgets',
  summary: 'Show or change the feedback widgets of a project: each is on, off or default.',
  worksOn: 'data',
  positionals: ['project'],
  flags: Object.fromEntries(
    Object.values(FLAGS).map(({ flag, help }) => [flag, { value: 'on|off|default', help }]),
  ),
  async run({ positionals, flag, print }) {
    const change: { [name in Setting]?: boolean | undefined } = {}
    for (const setting of WIDGET_SETTINGS) {
      const name = FLAGS[setting].flag
      const choice = flag(name)
      if (choice === undefined) continue
      if (!CHOICES.has(choice)) throw new UsageError(`--${name} must be on, off or default.`)
      change[setting] = CHOICES.get(choice)
    }
    const isChange = Object.keys(change).length > 0
    const named = positionals[0] as string
    const project = await withDatabase((context) =>
      isChange ? changeWidgets(context, named, change) : chooseProject(context, named),
    )
    print.result(
      { projectId: project.id, widgets: project.widgets },
      table([
        ['WIDGET', 'SETTING', ''],
        ...WIDGET_SETTINGS.map((setting) => [
          FLAGS[setting].flag,
          formatSetting(project.widgets, setting),
          FLAGS[setting].help,
        ]),
      ]),
    )
    if (isChange)
      print.note(`Pages show it with the next: ${programCall()} projects sync ${mainDomain(project)}`)
    return 0
  },
}

function formatSetting(widgets: WidgetChoice, setting: Setting): string {
  const value = widgets[setting]
  return value === undefined ? 'default' : value ? 'on' : 'off'
}
