import { type Document, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { HeadroomConfig } from '../../shared/core/config/config';
import type { RetiredWindow } from '../learning/retire';
import { isWhy } from './explain';
import { shrunkText } from './explain-retired';
import type { Suggestion } from './suggestion';

/** The windows of a NodePool as the file has them, with what each of them became. */
export function writtenWindows(document: Document, path: readonly string[], config: HeadroomConfig | undefined) {
  const old = document.getIn(path);
  const list: YAMLSeq = isSeq(old) ? old : (document.createNode([]) as YAMLSeq);
  const [first] = list.items;
  // The parser attaches a comment before the first window to the list.
  if (isMap(first) && list.commentBefore && !first.commentBefore) {
    first.commentBefore = list.commentBefore;
    list.commentBefore = null;
  }
  // Defaults add windows to this list and overlays remove some, so positions only match in a list without names.
  const windows = list.items.map((node, index) => {
    const name = isMap(node) ? node.get('name') : undefined;
    const window = name === undefined ? config?.windows[index] : config?.windows.find((one) => one.name === name);
    return { node, window };
  });
  return { list, windows };
}

/** Removes and shrinks the windows in the file; those of defaults and overlays are left, with a note. */
export function mergeRetired(document: Document, { pool, config, retirement }: Suggestion): readonly string[] {
  if (!config || !retirement) return [];
  const path = ['nodePools', pool];
  const at = [...path, 'schedules'];
  const { list, windows } = writtenWindows(document, at, config);
  const notes = retirement.windows.flatMap((retired) => {
    const node = windows.find(({ window }) => window?.name === retired.window.name)?.node;
    if (!isMap(node)) {
      const [verb, to] = retired.size === 0 ? ['remove', ''] : ['change', ` to ${retired.size}`];
      return [
        `${pool}: ${retired.window.name} is not in the list of this NodePool; ${verb} it${to} in defaults or in the overlay`,
      ];
    }
    if (retired.size === 0) list.items = list.items.filter((one) => one !== node);
    else shrink(node, retired);
    return [];
  });
  if (list.items.length === 0) document.deleteIn(at);
  if (retirement.plan.base !== config.base) document.setIn([...path, 'base'], retirement.plan.base);
  return notes;
}

function shrink(node: YAMLMap, retired: RetiredWindow): void {
  const key = retired.window.relative ? 'addNodes' : 'desiredReplicas';
  const scalar = node.get(key, true);
  if (isScalar(scalar)) scalar.value = retired.size;
  else node.set(key, retired.size);
  if (!node.commentBefore || isWhy(node.commentBefore)) node.commentBefore = ` ${shrunkText(retired)}`;
}
