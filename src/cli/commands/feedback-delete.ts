/** `octavo feedback delete`: permanently deletes individual or old feedback. */
import { programCall } from '../../app/operator/program-call.ts'
import { CLIENT_FLAGS, openApi, PROJECT_FLAG } from '../api-client.ts'
import { type Command, UsageError } from '../command.ts'

export const feedbackDelete: Command = {
  name: 'feedback delete',
  summary: 'Delete feedback by id, contact address or age for good; without --yes, count it.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ids: { value: 'ids', help: 'Only these entries, separated by commas, at most 1,000.' },
    contact: { value: 'address', help: 'Only entries with this contact address.' },
    before: { value: 'date', help: 'Only what was said before this date or moment.' },
    yes: { help: 'Delete it. Nothing brings it back.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const [contact, before] = [flag('contact'), flag('before')]
    const ids = flag('ids')?.split(',').filter(Boolean)
    if (ids === undefined && contact === undefined && before === undefined)
      throw new UsageError('Say which feedback with --ids, --contact, --before, or several of them.')
    const { client, project } = await openApi(flag, flag('project') as string, 'id')
    const selection = {
      ...(ids !== undefined && { ids }),
      ...(contact !== undefined && { contact }),
      ...(before !== undefined && { before }),
    }
    if (!has('yes')) {
      const { matched } = await client.deleteFeedback(project.id, { ...selection, isDryRun: true })
      print.result({ matched, deleted: 0 }, [
        `${entries(matched)} would be deleted, for good.`,
        ...(matched > 0 ? [`Delete it: the same ${programCall()} feedback delete with --yes`] : []),
      ])
      return 0
    }
    let deleted = 0
    for (let hasMore = true; hasMore; ) {
      const part = await client.deleteFeedback(project.id, selection)
      deleted += part.deleted
      hasMore = part.hasMore && part.deleted > 0
    }
    print.result({ deleted }, [`${entries(deleted)} deleted.`])
    return 0
  },
}

function entries(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`
}
