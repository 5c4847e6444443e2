import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { SearchResult } from '../../../../src/features/feedback/operations/inbox.ts'
import { internalQuery } from '../api/internal.ts'
import { ComboDialog } from '../ui/combo-list.tsx'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/kbd.tsx'
import { useGo } from '../ui/link.tsx'
import { t } from '../words/words.ts'
import { type Command, resolveHeading, useAllCommands } from './commands.ts'
import { useCurrentProjectId } from './current-project.ts'
import { matchCommands } from './match-commands.ts'
import { usePaletteCommands } from './palette-commands.ts'

/** Debounce before the typed text is sent to the server. */
const DEBOUNCE_MS = 120

type Hit = SearchResult['hits'][number]

export function Palette({ projectId, onClose }: { projectId: string | undefined; onClose: () => void }) {
  const [text, setText] = useState('')
  usePaletteCommands(useCurrentProjectId())
  const commands = useMatchingCommands(projectId, text)
  return (
    <ComboDialog
      title={t('Find anything')}
      placeholder={t('Search or run a command')}
      listLabel={t('Results')}
      width="lg"
      maxCharacters={200}
      text={text}
      onText={setText}
      items={commands.map((command) => ({
        id: command.id,
        label: command.label,
        ...(command.detail !== undefined && { about: command.detail }),
        heading: resolveHeading(command),
        sign: <Icon name={command.icon ?? 'arrow-right'} class="text-soft" />,
        end: command.keys !== undefined && <Keys keys={command.keys} />,
        run: command.run,
      }))}
      empty={t('No results for “{text}”. Try a word from a page or a comment, or the name of an action.', {
        text,
      })}
      end={<Keys keys="Escape" />}
      onTake={({ run }) => {
        onClose()
        // Runs after the dialog has restored the focus, so that the command can move it.
        queueMicrotask(run)
      }}
      onClose={onClose}
    />
  )
}

function useMatchingCommands(projectId: string | undefined, text: string): readonly Command[] {
  const go = useGo()
  const all = useAllCommands()
  const hits = useSearchHits(projectId, text)
  return useMemo(() => {
    const found = hits.map((hit) => toCommand(hit, projectId ?? '', go))
    return [...matchCommands(all, text), ...found]
  }, [all, text, hits, projectId, go])
}

const NO_HITS: readonly Hit[] = []

function useSearchHits(projectId: string | undefined, text: string): readonly Hit[] {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    ...internalQuery('search', { params: { projectId: projectId ?? '' }, query: { q: asked } }),
    enabled: projectId !== undefined && asked.length > 1,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return asked.length > 1 && text.trim() !== '' ? (data?.hits ?? NO_HITS) : NO_HITS
}

const GROUPS = { page: 'pages', feedback: 'feedback', agent_job: 'agent', export: 'exports' }
const DETAILS: Record<string, string | undefined> = {
  queued: t('Queued'),
  running: t('Running'),
  active: t('Working'),
  completed: t('Completed'),
  failed: t('Failed'),
  archived: t('Archived'),
}
const ICONS = { page: 'file-text', feedback: 'message-square', agent_job: 'bot', export: 'package' } as const

function toCommand(
  { kind, id, title, detail }: Hit,
  projectId: string,
  go: (href: string) => Promise<void>,
): Command {
  const base = `/p/${projectId}`
  const hrefs = {
    page: `${base}/feedback?path=${encodeURIComponent(id)}`,
    feedback: `${base}/feedback?entry=${encodeURIComponent(id)}`,
    agent_job: `${base}/agent/${encodeURIComponent(id)}`,
    export: `${base}/exports/${encodeURIComponent(id)}`,
  }
  const isSame = detail === title
  return {
    id: `${kind}-${id}`,
    label: kind === 'feedback' && isSame ? t('A vote without a comment') : title,
    ...(detail === null || (isSame && kind !== 'feedback') ? {} : { detail: DETAILS[detail] ?? detail }),
    group: GROUPS[kind],
    icon: ICONS[kind],
    run: () => void go(hrefs[kind]),
  }
}
