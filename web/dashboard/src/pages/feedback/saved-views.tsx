/** Saved filters: built-in views, the user's own, and shared ones. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { FeedbackView } from '../../../../../src/features/feedback/operations/inbox.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { textOf } from '../../forms/draft.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { useGo } from '../../ui/link.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import { serializeFilters } from './inbox-filters.ts'

const BUILT_IN_VIEWS = [
  { name: t('All open'), query: '' },
  { name: t('Open and assigned to me'), query: 'assignee=me' },
  { name: t('Open and not helpful'), query: 'vote=down' },
  { name: t('Open notes on code'), query: 'source=code_snippet' },
  { name: t('Open from AI agents'), query: 'source=agent' },
  { name: t('Votes without a comment'), query: 'status=any&source=thumbs_only' },
  { name: t('Everything'), query: 'status=any&source=any' },
]

type ViewDialogState = { view: FeedbackView | null } | null

export function SavedViews({ projectId }: { projectId: string }) {
  const [parameters] = useQueryParameters()
  const [editing, setEditing] = useState<ViewDialogState>(null)
  const mayChange = useHasPermission('feedback')
  const isAdmin = useHasPermission('projects')
  const { data } = useQuery(internalQuery('listFeedbackViews', { params: { projectId } }))
  const now = serializeFilters(parameters)
  const saved = data?.views ?? []
  const current = saved.find(({ query }) => query === now)
  const builtInView = BUILT_IN_VIEWS.find(({ query }) => query === now)
  const hrefOf = (query: string) => `/p/${projectId}/feedback${query === '' ? '' : `?${query}`}`
  const remove = useDeleteView(projectId)
  useViewCommands(saved, hrefOf, mayChange ? () => setEditing({ view: null }) : null)
  const mayEdit = mayChange && (current?.isMine === true || (current?.isShared === true && isAdmin))
  const views: MenuItem[] = [
    ...BUILT_IN_VIEWS.map((view) => ({
      label: view.name,
      href: hrefOf(view.query),
      isChecked: view.query === now,
    })),
    ...(saved.length > 0 ? [{ heading: t('Saved', { context: 'views' }) }] : []),
    ...saved.map((view) => ({
      label: view.name,
      ...(view.isShared ? { about: view.isMine ? t('Shared by you') : t('Shared') } : {}),
      href: hrefOf(view.query),
      isChecked: view === current,
    })),
  ]
  const isSaved = current !== undefined || builtInView !== undefined
  const items = [
    ...views,
    ...(mayChange ? createSaveItem(isSaved, () => setEditing({ view: null })) : []),
    ...(mayEdit && current ? createEditItems(current, () => setEditing({ view: current }), remove) : []),
  ]
  return (
    <>
      <Menu
        label={t('Views', { context: 'saved filters' })}
        class="w-72"
        items={items}
        trigger={(trigger) => (
          <Button size="small" icon="list-filter" {...trigger}>
            <span class="max-w-40 truncate">
              {current?.name ?? builtInView?.name ?? t('Views', { context: 'saved filters' })}
            </span>
          </Button>
        )}
      />
      {editing && (
        <ViewDialog projectId={projectId} view={editing.view} query={now} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** `save` is null for members who may not save views. */
function useViewCommands(
  saved: readonly FeedbackView[],
  hrefOf: (query: string) => string,
  save: (() => void) | null,
): void {
  const go = useGo()
  useCommands([
    ...saved.map((view) => ({
      id: `feedback-view-${view.id}`,
      label: t('View: {name}', { name: view.name }),
      group: 'feedback' as const,
      icon: 'list-filter' as const,
      run: () => void go(hrefOf(view.query)),
    })),
    {
      id: 'feedback-save-view',
      label: t('Save these filters as a view'),
      group: 'feedback',
      icon: 'save',
      isOff: save === null,
      run: () => save?.(),
    },
  ])
}

function createSaveItem(isOff: boolean, run: () => void): MenuItem[] {
  return ['line', { label: t('Save these filters…'), icon: 'plus', isOff, run }]
}

function createEditItems(
  view: FeedbackView,
  edit: () => void,
  remove: (view: FeedbackView) => void,
): MenuItem[] {
  return [
    { label: t('Rename or share “{name}”…', { name: view.name }), icon: 'pencil', run: edit },
    {
      label: t('Delete “{name}”', { name: view.name }),
      icon: 'trash-2',
      isDanger: true,
      run: () => remove(view),
    },
  ]
}

function useDeleteView(projectId: string): (view: FeedbackView) => void {
  const queries = useQueryClient()
  const queryKey = internalKey('listFeedbackViews', { params: { projectId } })
  const invalidateViews = () => queries.invalidateQueries({ queryKey })
  const fail = (error: unknown) => {
    toastFailure(t('The view was not deleted'), error)
  }
  const restore = ({ name, query, isShared }: FeedbackView) =>
    internal('createFeedbackView', { params: { projectId }, body: { name, query, isShared } }).then(
      invalidateViews,
      fail,
    )
  return (view) => {
    internal('deleteFeedbackView', { params: { projectId, viewId: view.id } }).then(() => {
      toast({
        kind: 'done',
        title: t('View “{name}” deleted', { name: view.name }),
        ...(view.isMine ? { action: { label: t('Undo'), run: () => void restore(view) } } : {}),
      })
      return invalidateViews()
    }, fail)
  }
}

interface ViewDialogProps {
  projectId: string
  view: FeedbackView | null
  query: string
  onClose: () => void
}

function ViewDialog({ projectId, view, query, onClose }: ViewDialogProps) {
  const save = async (body: { name: string; isShared: boolean }) => {
    if (view === null)
      await internal('createFeedbackView', { params: { projectId }, body: { ...body, query } })
    else await internal('updateFeedbackView', { params: { projectId, viewId: view.id }, body })
    await queryClient.invalidateQueries({
      queryKey: internalKey('listFeedbackViews', { params: { projectId } }),
    })
    toast({ kind: 'done', title: t('View “{name}” saved', { name: body.name }) })
    onClose()
  }
  return (
    <FieldsDialog<{ name: string; isShared: boolean }>
      title={view === null ? t('Save these filters') : t('Change the view')}
      width="sm"
      action={t('Save')}
      operation="createFeedbackView"
      {...(view !== null && { initial: view })}
      fields={() => [
        { name: 'name', label: t('Name'), input: { autofocus: true, autocomplete: 'off' } },
        { name: 'isShared', kind: 'checkbox', label: t('Share it with everyone who can see this project') },
      ]}
      isOff={(draft) => textOf(draft, 'name').trim() === ''}
      onSubmit={save}
      onClose={onClose}
    />
  )
}
