/** Lists of projects outside the main list: archived, deleted, or offered by another organization. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentChild, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { currentOrganizationId } from '../../api/send.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'

interface ShownProjects<Item> {
  title: string
  about: string
  row: (item: Item) => ComponentChild
}

interface ProjectListProps<Answer, Item> extends ShownProjects<Item> {
  queryKey: readonly string[]
  ask: () => Promise<Answer>
  itemsOf: (answer: Answer) => readonly Item[]
}

export function ProjectList<Answer, Item>({
  queryKey,
  ask,
  itemsOf,
  ...shown
}: ProjectListProps<Answer, Item>) {
  const { data } = useQuery({ queryKey: [...queryKey, currentOrganizationId()], queryFn: ask })
  return <ProjectRows items={data === undefined ? [] : itemsOf(data)} {...shown} />
}

interface ProjectRowsProps<Item> extends ShownProjects<Item> {
  items: readonly Item[]
  /** Button that loads more. */
  more?: ComponentChild
}

/** Renders nothing when the list is empty. */
export function ProjectRows<Item>({ title, about, items, row, more }: ProjectRowsProps<Item>) {
  if (items.length === 0) return null
  return (
    <Section title={title} about={about}>
      <ul class="divide-y divide-line rounded-md border border-line" aria-label={title}>
        {items.map(row)}
      </ul>
      {more}
    </Section>
  )
}

interface ProjectRowProps {
  name: string
  about: ComponentChildren
  /** Action buttons. */
  children: ComponentChildren
}

export function ProjectRow({ name, about, children }: ProjectRowProps) {
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div class="min-w-0 flex-1 basis-52">
        <p class="break-words">
          <PlainText text={name} />
        </p>
        <p class="break-words text-13 text-soft">{about}</p>
      </div>
      {children}
    </li>
  )
}

/** Runs an action of a row: busy until the reloaded list no longer contains the row, or until it fails. */
export function useRowAction(failure: string, work: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toastFailure(failure, error)
      setBusy(false)
    }
  }
  return { isBusy, run }
}

/** Refetches the project lists after a project may have moved into the main list. */
export async function refreshProjects(...listKeys: readonly (readonly string[])[]): Promise<void> {
  await Promise.all(listKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  await queryClient.refetchQueries({ queryKey: projectsQuery().queryKey })
}

/** Query key of the archived projects. */
export const ARCHIVED_KEY = ['listArchivedProjects']
