# cmake -DFOLDER=src/page/web -DOUT=page_text.cpp -P EmbedPage.cmake: the files of the page as C++ strings,
# with the hashes by which the page's policy tells its own script and style from anything else.

# SHA-256 in base 64, as a Content-Security-Policy has it. CMake has only the hexadecimal form.
function(base64_sha256 text out)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  string(APPEND hex "00") # 33 bytes are 44 digits; the last one is padding
  set(digits "")
  foreach(place RANGE 0 63 3)
    string(SUBSTRING ${hex} ${place} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING ${alphabet} ${high} 1 first)
    string(SUBSTRING ${alphabet} ${low} 1 second)
    string(APPEND digits ${first}${second})
  endforeach()
  string(SUBSTRING ${digits} 0 43 digits)
  set(${out} "sha256-${digits}=" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html html)
file(READ ${FOLDER}/page.css style)
file(GLOB parts ${FOLDER}/*.js)
list(SORT parts)
set(script "")
foreach(part IN LISTS parts)
  file(READ ${part} text)
  string(APPEND script "${text}")
endforeach()
# One scope for all parts, none of it global.
set(script "\"use strict\";\n(() => {\n${script}})();\n")
base64_sha256("${script}" script_hash)
base64_sha256("${style}" style_hash)

file(WRITE ${OUT} "#include \"page/page_text.h\"

namespace fsieve::inline page {

const PageText& page_text() {
  static const PageText text{
R\"~page~(${html})~page~\",
      R\"~page~(${style})~page~\",
      R\"~page~(${script})~page~\",
\"${style_hash}\", \"${script_hash}\"};
  return text;
}

}  // namespace fsieve::page
")
