/** Multi-value filters by assignee and label. */

import { useQuery } from '@tanstack/react-query'
import { internalQuery } from '../../api/internal.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useUser } from '../../app/session.ts'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { t } from '../../words/words.ts'
import { useLabels } from './work-marks.tsx'

export const ME = 'me'
export const NONE = 'none'

export function AssigneeFilter() {
  const me = useUser()
  const [parameters, change] = useQueryParameters()
  const { data } = useQuery(internalQuery('listMembers'))
  const others = (data?.members ?? []).filter(({ userId }) => userId !== me.id)
  const options = [
    { value: ME, label: t('Me'), icon: 'user' as const },
    { value: NONE, label: t('Nobody'), icon: 'x' as const },
    ...others.map(({ userId, name }) => ({ value: userId, label: name, icon: 'user' as const })),
  ]
  return (
    <WordFilter
      label={t('Assignee')}
      all={t('Any assignee')}
      options={options}
      word={parameters.assignee}
      onChange={(assignee) => change({ assignee, entry: undefined })}
    />
  )
}

export function LabelFilter({ projectId }: { projectId: string }) {
  const [parameters, change] = useQueryParameters()
  const labels = useLabels(projectId)
  if (labels.length === 0 && parameters.label === undefined) return null
  const options = [
    ...labels.map(({ id, name }) => ({ value: id, label: name, icon: 'tag' as const })),
    { value: NONE, label: t('Without labels'), icon: 'x' as const },
  ]
  return (
    <WordFilter
      label={t('Label', { context: 'of feedback' })}
      all={t('Any label')}
      options={options}
      word={parameters.label}
      onChange={(label) => change({ label, entry: undefined })}
    />
  )
}

/**
 * Multi-value filter of the URL; an empty selection means no filter. Deleted values remain part of the filter, so
 * that an old link never shows more than it was meant to.
 */
function WordFilter({
  label,
  all,
  options,
  word,
  onChange,
}: {
  label: string
  all: string
  options: readonly { value: string; label: string; icon: 'user' | 'tag' | 'x' }[]
  word: string | undefined
  onChange: (word: string | undefined) => void
}) {
  const chosen = word ? word.split(',') : []
  const unknown = chosen.filter((value) => !options.some((option) => option.value === value))
  const shown = [
    ...options,
    ...unknown.map((value) => ({ value, label: t('No longer there'), icon: 'x' as const })),
  ]
  const words = shown.filter(({ value }) => chosen.includes(value)).map((option) => option.label)
  return (
    <MultiSelect
      label={label}
      words={words.length === 0 ? all : words.join(', ')}
      options={shown}
      chosen={chosen}
      onChange={(values) => onChange(values.length === 0 ? undefined : values.join(','))}
    />
  )
}
