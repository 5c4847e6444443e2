/** Filters with a name: a few that everybody needs, one's own, and those that others share. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { FeedbackView } from '../../../../../src/contract/dashboard-feedback.ts'
import { explain } from '../../api/errors.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useQueryParameters } from '../../app/address.ts'
import { useCommands } from '../../app/commands.ts'
import { useMayDo } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, FormError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useGo } from '../../ui/link.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { filterString } from './inbox-filters.ts'

const GIVEN = [
  { name: 'All open', query: '' },
  { name: 'Open and not helpful', query: 'vote=down' },
  { name: 'Open notes on code', query: 'source=code_snippet' },
  { name: 'Open from AI agents', query: 'source=agent' },
  { name: 'Everything', query: 'status=any' },
]

type Editing = { view: FeedbackView | null } | null

export function SavedViews({ projectId }: { projectId: string }) {
  const [parameters] = useQueryParameters()
  const [editing, setEditing] = useState<Editing>(null)
  const mayChange = useMayDo('feedback')
  const isAdmin = useMayDo('projects')
  const { data } = useQuery(internalQuery('listFeedbackViews', { params: { projectId } }))
  const now = filterString(parameters)
  const saved = data?.views ?? []
  const current = saved.find(({ query }) => query === now)
  const given = GIVEN.find(({ query }) => query === now)
  const hrefOf = (query: string) => `/p/${projectId}/feedback${query === '' ? '' : `?${query}`}`
  const remove = useRemove(projectId)
  const go = useGo()
  useCommands([
    ...saved.map((view) => ({
      id: `feedback-view-${view.id}`,
      label: `View: ${view.name}`,
      group: 'Feedback',
      icon: 'list-filter' as const,
      run: () => void go(hrefOf(view.query)),
    })),
    {
      id: 'feedback-save-view',
      label: 'Save these filters as a view',
      group: 'Feedback',
      icon: 'save',
      isOff: !mayChange,
      run: () => setEditing({ view: null }),
    },
  ])
  const mayEdit = current !== undefined && mayChange && (current.isMine || (current.isShared && isAdmin))
  const items: MenuItem[] = [
    ...GIVEN.map((view) => ({ label: view.name, href: hrefOf(view.query), isChecked: view.query === now })),
    ...(saved.length > 0 ? [{ heading: 'Saved' }] : []),
    ...saved.map((view) => ({
      label: view.name,
      ...(view.isShared ? { about: view.isMine ? 'Shared by you' : 'Shared' } : {}),
      href: hrefOf(view.query),
      isChecked: view === current,
    })),
    ...(mayChange
      ? [
          'line' as const,
          {
            label: 'Save these filters…',
            icon: 'plus' as const,
            isOff: current !== undefined || given !== undefined,
            run: () => setEditing({ view: null }),
          },
        ]
      : []),
    ...(mayEdit
      ? [
          {
            label: `Rename or share “${current.name}”…`,
            icon: 'pencil' as const,
            run: () => setEditing({ view: current }),
          },
          {
            label: `Delete “${current.name}”`,
            icon: 'trash-2' as const,
            isDanger: true,
            run: () => remove(current),
          },
        ]
      : []),
  ]
  return (
    <>
      <Menu
        label="Views"
        class="w-72"
        items={items}
        trigger={(trigger) => (
          <Button size="small" icon="list-filter" {...trigger}>
            <span class="max-w-40 truncate">{current?.name ?? given?.name ?? 'Views'}</span>
          </Button>
        )}
      />
      {editing && (
        <ViewDialog projectId={projectId} view={editing.view} query={now} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** Deletes at once, and makes it again when that is asked for. */
function useRemove(projectId: string): (view: FeedbackView) => void {
  const queries = useQueryClient()
  const queryKey = internalKey('listFeedbackViews', { params: { projectId } })
  const renew = () => queries.invalidateQueries({ queryKey })
  const fail = (error: unknown) => {
    const { title, advice } = explain(error)
    toast({ kind: 'failed', title: 'The view was not deleted', detail: `${title} ${advice}` })
  }
  const restore = ({ name, query, isShared }: FeedbackView) =>
    internal('createFeedbackView', { params: { projectId }, body: { name, query, isShared } }).then(
      renew,
      fail,
    )
  return (view) => {
    internal('deleteFeedbackView', { params: { projectId, viewId: view.id } }).then(() => {
      toast({
        kind: 'done',
        title: `View “${view.name}” deleted`,
        ...(view.isMine ? { action: { label: 'Undo', run: () => void restore(view) } } : {}),
      })
      return renew()
    }, fail)
  }
}

function ViewDialog({
  projectId,
  view,
  query,
  onClose,
}: {
  projectId: string
  /** Null for a new one. */
  view: FeedbackView | null
  query: string
  onClose: () => void
}) {
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      view === null
        ? internal('createFeedbackView', {
            params: { projectId },
            body: { name: name.trim(), query, isShared },
          })
        : internal('updateFeedbackView', {
            params: { projectId, viewId: view.id },
            body: { name: name.trim(), isShared },
          }),
    onSuccess: async () => {
      await queries.invalidateQueries({
        queryKey: internalKey('listFeedbackViews', { params: { projectId } }),
      })
      toast({ kind: 'done', title: `View “${name.trim()}” saved` })
      onClose()
    },
  })
  const isEmpty = name.trim() === ''
  return (
    <Dialog
      title={view === null ? 'Save these filters' : 'Change the view'}
      width="sm"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={isEmpty} isBusy={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      }
    >
      {save.isError && <FormError title={explain(save.error).title} details={explain(save.error).details} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty && !save.isPending) save.mutate()
        }}
      >
        <Field label="Name">
          {(field) => (
            <Input
              {...field}
              maxLength={100}
              autocomplete="off"
              autofocus
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Share it with everybody who sees this project"
          isOn={isShared}
          onChange={setShared}
        />
      </form>
    </Dialog>
  )
}
