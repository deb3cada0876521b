import { load } from 'cheerio';
import type { CheerioAPI } from 'cheerio';
import { shorten } from '../../../core/base/shorten';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ScraperField } from '../../../core/connector/types';
import { convertText } from '../../../core/connector/convert';
import { FileFault } from '../../formats/file-fault';
import { Warnings } from '../../formats/parsed-file';
import { evaluatePath, isNode } from '../../formats/xml/xpath';
import type { XPathItem } from '../../formats/xml/xpath';
import type { PageJob } from '../../formats/host/file-parser-host';
import { decodeHtml } from './decode-html';
import { visibleText } from './html-text';
import type { HtmlNode } from './html-text';
import { absolute, baseOf, isAddress } from './links';
import type { ParsedPage } from './parsed-page';
import { unseenFields } from './unseen-fields';
import { XmlView } from './xml-view';

const NO_PREFIXES = { namespaceResolver: (): null => null };

/** Records of one page by the endpoint's selectors. Nothing of the page is run or loaded. Throws FileFault. */
export function parsePage(job: PageJob): ParsedPage {
  try {
    return new PageReader(job).read();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FileFault('page_too_complex', 'The page is nested too deeply to be read.');
    }
    throw error;
  }
}

class PageReader {
  private readonly $: CheerioAPI;
  private readonly base: string;
  private readonly warnings = new Warnings();
  private tree: XmlView | undefined;

  constructor(private readonly job: PageJob) {
    const { text, guessed } = decodeHtml(job.bytes, job.contentType);
    if (guessed !== undefined) {
      this.warnings.note('', `The page does not say its encoding and is not UTF-8: it was read as \`${guessed}\`.`);
    }
    this.$ = load(text);
    this.base = baseOf(this.$('base[href]').first().attr('href'), job.url);
  }

  read(): ParsedPage {
    const { list_selector: list, fields, has } = this.job.endpoint;
    const page = this.$.root().get(0) as HtmlNode;
    if (has !== undefined && this.select(has, page).length === 0) {
      throw new FileFault('other_page', `it has no \`${has}\``);
    }
    const items = list === undefined ? [page] : this.select(list, page);
    const records = items.map((item) =>
      Object.fromEntries(fields.map((field): [string, Json] => [field.field, this.value(field, item)])),
    );
    const next = this.next(page);
    return {
      records,
      warnings: [...this.warnings.list, ...this.silent(records, list)],
      ...(next === undefined ? {} : { next }),
    };
  }

  private value(field: ScraperField, item: HtmlNode): Json {
    const found = field.xpath === undefined ? this.bySelector(field, item) : this.byXPath(field, field.xpath, item);
    if (field.multiple || field.type === 'array') {
      return found.map((text) => this.converted(field, text));
    }
    const [first] = found;
    return first === undefined ? null : this.converted(field, first);
  }

  private converted(field: ScraperField, text: string): Json {
    const value = convertText(text, field.type === 'array' ? 'string' : field.type);
    if (value === undefined) {
      this.warnings.mismatch(field.field, field.type, text);
    }
    return value ?? null;
  }

  private bySelector(field: ScraperField, item: HtmlNode): string[] {
    return this.select(field.selector ?? ':scope', item).flatMap((node) => this.read1(field, node) ?? []);
  }

  private byXPath(field: ScraperField, path: string, item: HtmlNode): string[] {
    this.tree ??= new XmlView(this.$.root().get(0) as HtmlNode);
    const tree = this.tree;
    return evaluatePath(path, tree.viewOf(item), NO_PREFIXES).flatMap(
      (result) => this.ofResult(field, result, tree) ?? [],
    );
  }

  private ofResult(field: ScraperField, result: XPathItem, tree: XmlView): string | undefined {
    if (!isNode(result)) {
      return String(result);
    }
    const origin = tree.originOf(result);
    if (origin !== undefined) {
      return this.read1(field, origin);
    }
    const text = result.nodeValue ?? visibleText(this.$.root().get(0) as HtmlNode);
    const name = result.nodeType === 2 ? result.nodeName : '';
    return isAddress(name) ? absolute(text, this.base) : text.replace(/\s+/g, ' ').trim();
  }

  /** Attribute or text of one element; addresses become absolute. */
  private read1(field: ScraperField, node: HtmlNode): string | undefined {
    if (field.attribute === undefined) {
      return visibleText(node);
    }
    const name = field.attribute.toLowerCase();
    const value = node.attribs !== undefined && Object.hasOwn(node.attribs, name) ? node.attribs[name] : undefined;
    return value !== undefined && isAddress(name) ? absolute(value, this.base) : value;
  }

  private select(selector: string, within: HtmlNode): HtmlNode[] {
    if (selector.trim() === ':scope') {
      return [within];
    }
    try {
      return this.$(within as never)
        .find(selector)
        .get() as HtmlNode[];
    } catch (error) {
      if (error instanceof RangeError) {
        throw error;
      }
      const message = error instanceof Error ? error.message : String(error);
      throw new FileFault('selector_failed', `\`${selector}\` cannot be evaluated: ${shorten(message, 200)}`);
    }
  }

  /** An element without an address leads nowhere: so lists show that this is the last page. */
  private next(page: HtmlNode): string | undefined {
    const { follow } = this.job.endpoint;
    const link = follow === undefined ? undefined : this.select(follow.selector, page)[0];
    const href = link?.attribs?.['href'];
    return href === undefined ? undefined : absolute(href, this.base).replace(/#.*$/, '');
  }

  /** Warns of a selector that finds nothing on the whole page: it may be out of date. */
  private silent(records: readonly JsonObject[], list: string | undefined): { field: string; message: string }[] {
    // A page that is known by something else may have an empty list.
    if (records.length === 0 && this.job.endpoint.has !== undefined) return [];
    if (records.length === 0) {
      return [{ field: '', message: `\`list_selector\` (${list ?? ''}) found nothing on the page.` }];
    }
    return unseenFields(this.job.endpoint.fields, records).map(({ field }) => ({
      field,
      message: `\`${field}\` was found in none of the records.`,
    }));
  }
}
