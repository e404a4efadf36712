import { dnsSubdomain } from '../../api/patterns.js';

const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefix = new RegExp(dnsSubdomain);
const longest = 63;

/** Why a text is no label key (apimachinery 0.35, content.IsLabelKey); undefined when it is one. */
export function labelKeyFault(key: string): string | undefined {
  const parts = key.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return `"${key}" is no label key: it has more than one slash`;
  if (second !== undefined && (first.length > 253 || !prefix.test(first)))
    return `"${key}" is no label key: its prefix is no domain`;
  const last = second ?? first;
  return last.length <= longest && name.test(last) ? undefined : `"${key}" is no label key`;
}

/** Why a text is no label value (apimachinery 0.35, content.IsLabelValue); undefined when it is one. Empty is one. */
export function labelValueFault(value: string): string | undefined {
  return value === '' || (value.length <= longest && name.test(value)) ? undefined : `"${value}" is no label value`;
}
