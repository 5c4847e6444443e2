/** `octavo projects widgets`: sets which feedback widgets the pages of a project show. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { WIDGET_SETTINGS, type WidgetChoice } from '../../../base/api/widgets.ts'
import { changeProject, mainDomain } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'

type Setting = (typeof WIDGET_SETTINGS)[number]

const FLAGS: Record<Setting, { flag: string; help: string }> = {
  thumbs: { flag: 'thumbs', help: 'The vote at the end of each page.' },
  code: { flag: 'code', help: 'The feedback button on each code block.' },
  suggestEdit: { flag: 'suggest-edit', help: 'The link to edit a page on the git host.' },
  raiseIssue: { flag: 'raise-issue', help: 'The link to open an issue on the git host.' },
  bundles: { flag: 'bundles', help: 'Whether exported bundles also accept feedback (default: off).' },
}

const CHOICES = new Map<string, boolean | null>([
  ['on', true],
  ['off', false],
  ['default', null],
])

export const projectsWidgets: Command = {
  name: 'projects widgets',
  summary: 'Show or change the feedback widgets of a project: on, off or default.',
  worksOn: 'data',
  positionals: ['project'],
  flags: Object.fromEntries(
    Object.values(FLAGS).map(({ flag, help }) => [flag, { value: 'on|off|default', help }]),
  ),
  async run({ positionals, flag, print }) {
    const change: { [name in Setting]?: boolean | null } = {}
    for (const setting of WIDGET_SETTINGS) {
      const name = FLAGS[setting].flag
      const choice = flag(name)
      if (choice === undefined) continue
      const value = CHOICES.get(choice)
      if (value === undefined) throw new UsageError(`--${name} must be on, off or default.`)
      change[setting] = value
    }
    const project = await changeProject(positionals[0] as string, 'widgets', change)
    print.result(
      { projectId: project.projectId, widgets: project.widgets },
      table([
        ['WIDGET', 'SETTING', ''],
        ...WIDGET_SETTINGS.map((setting) => [
          FLAGS[setting].flag,
          formatSetting(project.widgets, setting),
          FLAGS[setting].help,
        ]),
      ]),
    )
    if (Object.keys(change).length > 0)
      print.note(`Publish the change: ${resolveProgramCommand()} projects sync ${mainDomain(project)}`)
    return 0
  },
}

function formatSetting(widgets: WidgetChoice, setting: Setting): string {
  const value = widgets[setting]
  return value === undefined ? 'default' : value ? 'on' : 'off'
}
