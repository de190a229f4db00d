; ModuleID = '-'
source_filename = "-"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@isalnum_l = weak dso_local alias i32 (i32, ptr), ptr @__isalnum_l
@isalpha_l = weak dso_local alias i32 (i32, ptr), ptr @__isalpha_l
@isblank_l = weak dso_local alias i32 (i32, ptr), ptr @__isblank_l
@iscntrl_l = weak dso_local alias i32 (i32, ptr), ptr @__iscntrl_l
@isdigit_l = weak dso_local alias i32 (i32, ptr), ptr @__isdigit_l
@isgraph_l = weak dso_local alias i32 (i32, ptr), ptr @__isgraph_l
@islower_l = weak dso_local alias i32 (i32, ptr), ptr @__islower_l
@isprint_l = weak dso_local alias i32 (i32, ptr), ptr @__isprint_l
@ispunct_l = weak dso_local alias i32 (i32, ptr), ptr @__ispunct_l
@isspace_l = weak dso_local alias i32 (i32, ptr), ptr @__isspace_l
@isupper_l = weak dso_local alias i32 (i32, ptr), ptr @__isupper_l
@isxdigit_l = weak dso_local alias i32 (i32, ptr), ptr @__isxdigit_l
@tolower_l = weak dso_local alias i32 (i32, ptr), ptr @__tolower_l
@toupper_l = weak dso_local alias i32 (i32, ptr), ptr @__toupper_l

; Function Attrs: noinline nounwind
define dso_local i32 @isalnum(i32 noundef %0) #0 !dbg !9 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  br i1 false, label %3, label %7, !dbg !13

3:                                                ; preds = %1
  %4 = load i32, ptr %2, align 4, !dbg !13
  %5 = call i32 @isalpha(i32 noundef %4) #1, !dbg !13
  %6 = icmp ne i32 %5, 0, !dbg !13
  br i1 %6, label %16, label %12, !dbg !13

7:                                                ; preds = %1
  %8 = load i32, ptr %2, align 4, !dbg !13
  %9 = or i32 %8, 32, !dbg !13
  %10 = sub i32 %9, 97, !dbg !13
  %11 = icmp ult i32 %10, 26, !dbg !13
  br i1 %11, label %16, label %12, !dbg !13

12:                                               ; preds = %7, %3
  %13 = load i32, ptr %2, align 4, !dbg !13
  %14 = sub i32 %13, 48, !dbg !13
  %15 = icmp ult i32 %14, 10, !dbg !13
  br label %16, !dbg !13

16:                                               ; preds = %12, %7, %3
  %17 = phi i1 [ true, %7 ], [ true, %3 ], [ %15, %12 ]
  %18 = zext i1 %17 to i32, !dbg !13
  ret i32 %18, !dbg !13
}

; Function Attrs: noinline nounwind
define dso_local i32 @isalpha(i32 noundef %0) #0 !dbg !14 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !16
  %4 = or i32 %3, 32, !dbg !16
  %5 = sub i32 %4, 97, !dbg !16
  %6 = icmp ult i32 %5, 26, !dbg !16
  %7 = zext i1 %6 to i32, !dbg !16
  ret i32 %7, !dbg !16
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isalnum_l(i32 noundef %0, ptr noundef %1) #0 !dbg !17 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !18
  %6 = call i32 @isalnum(i32 noundef %5) #1, !dbg !18
  ret i32 %6, !dbg !18
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isalpha_l(i32 noundef %0, ptr noundef %1) #0 !dbg !19 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !20
  %6 = call i32 @isalpha(i32 noundef %5) #1, !dbg !20
  ret i32 %6, !dbg !20
}

; Function Attrs: noinline nounwind
define dso_local i32 @isascii(i32 noundef %0) #0 !dbg !21 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !23
  %4 = and i32 %3, -128, !dbg !23
  %5 = icmp ne i32 %4, 0, !dbg !23
  %6 = xor i1 %5, true, !dbg !23
  %7 = zext i1 %6 to i32, !dbg !23
  ret i32 %7, !dbg !23
}

; Function Attrs: noinline nounwind
define dso_local i32 @isblank(i32 noundef %0) #0 !dbg !24 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !26
  %4 = icmp eq i32 %3, 32, !dbg !26
  br i1 %4, label %8, label %5, !dbg !26

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !26
  %7 = icmp eq i32 %6, 9, !dbg !26
  br label %8, !dbg !26

8:                                                ; preds = %5, %1
  %9 = phi i1 [ true, %1 ], [ %7, %5 ]
  %10 = zext i1 %9 to i32, !dbg !26
  ret i32 %10, !dbg !26
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isblank_l(i32 noundef %0, ptr noundef %1) #0 !dbg !27 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !28
  %6 = call i32 @isblank(i32 noundef %5) #1, !dbg !28
  ret i32 %6, !dbg !28
}

; Function Attrs: noinline nounwind
define dso_local i32 @iscntrl(i32 noundef %0) #0 !dbg !29 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !31
  %4 = icmp ult i32 %3, 32, !dbg !31
  br i1 %4, label %8, label %5, !dbg !31

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !31
  %7 = icmp eq i32 %6, 127, !dbg !31
  br label %8, !dbg !31

8:                                                ; preds = %5, %1
  %9 = phi i1 [ true, %1 ], [ %7, %5 ]
  %10 = zext i1 %9 to i32, !dbg !31
  ret i32 %10, !dbg !31
}

; Function Attrs: noinline nounwind
define dso_local i32 @__iscntrl_l(i32 noundef %0, ptr noundef %1) #0 !dbg !32 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !33
  %6 = call i32 @iscntrl(i32 noundef %5) #1, !dbg !33
  ret i32 %6, !dbg !33
}

; Function Attrs: noinline nounwind
define dso_local i32 @isdigit(i32 noundef %0) #0 !dbg !34 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !36
  %4 = sub i32 %3, 48, !dbg !36
  %5 = icmp ult i32 %4, 10, !dbg !36
  %6 = zext i1 %5 to i32, !dbg !36
  ret i32 %6, !dbg !36
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isdigit_l(i32 noundef %0, ptr noundef %1) #0 !dbg !37 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !38
  %6 = call i32 @isdigit(i32 noundef %5) #1, !dbg !38
  ret i32 %6, !dbg !38
}

; Function Attrs: noinline nounwind
define dso_local i32 @isgraph(i32 noundef %0) #0 !dbg !39 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !41
  %4 = sub i32 %3, 33, !dbg !41
  %5 = icmp ult i32 %4, 94, !dbg !41
  %6 = zext i1 %5 to i32, !dbg !41
  ret i32 %6, !dbg !41
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isgraph_l(i32 noundef %0, ptr noundef %1) #0 !dbg !42 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !43
  %6 = call i32 @isgraph(i32 noundef %5) #1, !dbg !43
  ret i32 %6, !dbg !43
}

; Function Attrs: noinline nounwind
define dso_local i32 @islower(i32 noundef %0) #0 !dbg !44 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !46
  %4 = sub i32 %3, 97, !dbg !46
  %5 = icmp ult i32 %4, 26, !dbg !46
  %6 = zext i1 %5 to i32, !dbg !46
  ret i32 %6, !dbg !46
}

; Function Attrs: noinline nounwind
define dso_local i32 @__islower_l(i32 noundef %0, ptr noundef %1) #0 !dbg !47 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !48
  %6 = call i32 @islower(i32 noundef %5) #1, !dbg !48
  ret i32 %6, !dbg !48
}

; Function Attrs: noinline nounwind
define dso_local i32 @isprint(i32 noundef %0) #0 !dbg !49 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !51
  %4 = sub i32 %3, 32, !dbg !51
  %5 = icmp ult i32 %4, 95, !dbg !51
  %6 = zext i1 %5 to i32, !dbg !51
  ret i32 %6, !dbg !51
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isprint_l(i32 noundef %0, ptr noundef %1) #0 !dbg !52 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !53
  %6 = call i32 @isprint(i32 noundef %5) #1, !dbg !53
  ret i32 %6, !dbg !53
}

; Function Attrs: noinline nounwind
define dso_local i32 @ispunct(i32 noundef %0) #0 !dbg !54 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !56
  %4 = call i32 @isgraph(i32 noundef %3) #1, !dbg !56
  %5 = icmp ne i32 %4, 0, !dbg !56
  br i1 %5, label %6, label %11, !dbg !56

6:                                                ; preds = %1
  %7 = load i32, ptr %2, align 4, !dbg !56
  %8 = call i32 @isalnum(i32 noundef %7) #1, !dbg !56
  %9 = icmp ne i32 %8, 0, !dbg !56
  %10 = xor i1 %9, true, !dbg !56
  br label %11

11:                                               ; preds = %6, %1
  %12 = phi i1 [ false, %1 ], [ %10, %6 ], !dbg !57
  %13 = zext i1 %12 to i32, !dbg !56
  ret i32 %13, !dbg !56
}

; Function Attrs: noinline nounwind
define dso_local i32 @__ispunct_l(i32 noundef %0, ptr noundef %1) #0 !dbg !58 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !59
  %6 = call i32 @ispunct(i32 noundef %5) #1, !dbg !59
  ret i32 %6, !dbg !59
}

; Function Attrs: noinline nounwind
define dso_local i32 @isspace(i32 noundef %0) #0 !dbg !60 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !62
  %4 = icmp eq i32 %3, 32, !dbg !62
  br i1 %4, label %9, label %5, !dbg !62

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !dbg !62
  %7 = sub i32 %6, 9, !dbg !62
  %8 = icmp ult i32 %7, 5, !dbg !62
  br label %9, !dbg !62

9:                                                ; preds = %5, %1
  %10 = phi i1 [ true, %1 ], [ %8, %5 ]
  %11 = zext i1 %10 to i32, !dbg !62
  ret i32 %11, !dbg !62
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isspace_l(i32 noundef %0, ptr noundef %1) #0 !dbg !63 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !64
  %6 = call i32 @isspace(i32 noundef %5) #1, !dbg !64
  ret i32 %6, !dbg !64
}

; Function Attrs: noinline nounwind
define dso_local i32 @isupper(i32 noundef %0) #0 !dbg !65 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !67
  %4 = sub i32 %3, 65, !dbg !67
  %5 = icmp ult i32 %4, 26, !dbg !67
  %6 = zext i1 %5 to i32, !dbg !67
  ret i32 %6, !dbg !67
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isupper_l(i32 noundef %0, ptr noundef %1) #0 !dbg !68 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !69
  %6 = call i32 @isupper(i32 noundef %5) #1, !dbg !69
  ret i32 %6, !dbg !69
}

; Function Attrs: noinline nounwind
define dso_local i32 @isxdigit(i32 noundef %0) #0 !dbg !70 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !72
  %4 = call i32 @isdigit(i32 noundef %3) #1, !dbg !72
  %5 = icmp ne i32 %4, 0, !dbg !72
  br i1 %5, label %11, label %6, !dbg !72

6:                                                ; preds = %1
  %7 = load i32, ptr %2, align 4, !dbg !72
  %8 = or i32 %7, 32, !dbg !72
  %9 = sub i32 %8, 97, !dbg !72
  %10 = icmp ult i32 %9, 6, !dbg !72
  br label %11, !dbg !72

11:                                               ; preds = %6, %1
  %12 = phi i1 [ true, %1 ], [ %10, %6 ]
  %13 = zext i1 %12 to i32, !dbg !72
  ret i32 %13, !dbg !72
}

; Function Attrs: noinline nounwind
define dso_local i32 @__isxdigit_l(i32 noundef %0, ptr noundef %1) #0 !dbg !73 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !74
  %6 = call i32 @isxdigit(i32 noundef %5) #1, !dbg !74
  ret i32 %6, !dbg !74
}

; Function Attrs: noinline nounwind
define dso_local i32 @toascii(i32 noundef %0) #0 !dbg !75 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4, !dbg !77
  %4 = and i32 %3, 127, !dbg !77
  ret i32 %4, !dbg !77
}

; Function Attrs: noinline nounwind
define dso_local i32 @tolower(i32 noundef %0) #0 !dbg !78 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  %4 = load i32, ptr %3, align 4, !dbg !80
  %5 = call i32 @isupper(i32 noundef %4) #1, !dbg !80
  %6 = icmp ne i32 %5, 0, !dbg !80
  br i1 %6, label %7, label %10, !dbg !80

7:                                                ; preds = %1
  %8 = load i32, ptr %3, align 4, !dbg !80
  %9 = or i32 %8, 32, !dbg !80
  store i32 %9, ptr %2, align 4, !dbg !80
  br label %12, !dbg !80

10:                                               ; preds = %1
  %11 = load i32, ptr %3, align 4, !dbg !81
  store i32 %11, ptr %2, align 4, !dbg !81
  br label %12, !dbg !81

12:                                               ; preds = %10, %7
  %13 = load i32, ptr %2, align 4, !dbg !82
  ret i32 %13, !dbg !82
}

; Function Attrs: noinline nounwind
define dso_local i32 @__tolower_l(i32 noundef %0, ptr noundef %1) #0 !dbg !83 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !84
  %6 = call i32 @tolower(i32 noundef %5) #1, !dbg !84
  ret i32 %6, !dbg !84
}

; Function Attrs: noinline nounwind
define dso_local i32 @toupper(i32 noundef %0) #0 !dbg !85 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  %4 = load i32, ptr %3, align 4, !dbg !87
  %5 = call i32 @islower(i32 noundef %4) #1, !dbg !87
  %6 = icmp ne i32 %5, 0, !dbg !87
  br i1 %6, label %7, label %10, !dbg !87

7:                                                ; preds = %1
  %8 = load i32, ptr %3, align 4, !dbg !87
  %9 = and i32 %8, 95, !dbg !87
  store i32 %9, ptr %2, align 4, !dbg !87
  br label %12, !dbg !87

10:                                               ; preds = %1
  %11 = load i32, ptr %3, align 4, !dbg !88
  store i32 %11, ptr %2, align 4, !dbg !88
  br label %12, !dbg !88

12:                                               ; preds = %10, %7
  %13 = load i32, ptr %2, align 4, !dbg !89
  ret i32 %13, !dbg !89
}

; Function Attrs: noinline nounwind
define dso_local i32 @__toupper_l(i32 noundef %0, ptr noundef %1) #0 !dbg !90 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  %5 = load i32, ptr %3, align 4, !dbg !91
  %6 = call i32 @toupper(i32 noundef %5) #1, !dbg !91
  ret i32 %6, !dbg !91
}

attributes #0 = { noinline nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nobuiltin "no-builtins" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "-", directory: ".", checksumkind: CSK_MD5, checksum: "54c3c2f682c9193603a3553751c4f534")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!9 = distinct !DISubprogram(name: "isalnum", scope: !10, file: !10, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DIFile(filename: "./src/ctype/isalnum.c", directory: ".", checksumkind: CSK_MD5, checksum: "b7518af2dc513c02b0917fddb76c283a")
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 5, scope: !9)
!14 = distinct !DISubprogram(name: "isalpha", scope: !15, file: !15, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DIFile(filename: "./src/ctype/isalpha.c", directory: ".", checksumkind: CSK_MD5, checksum: "500db45a8d42fbba98d87ec5e4f89c5f")
!16 = !DILocation(line: 6, scope: !14)
!17 = distinct !DISubprogram(name: "__isalnum_l", scope: !10, file: !10, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!18 = !DILocation(line: 10, scope: !17)
!19 = distinct !DISubprogram(name: "__isalpha_l", scope: !15, file: !15, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!20 = !DILocation(line: 11, scope: !19)
!21 = distinct !DISubprogram(name: "isascii", scope: !22, file: !22, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!22 = !DIFile(filename: "./src/ctype/isascii.c", directory: ".", checksumkind: CSK_MD5, checksum: "d8f4600d0694057193e9dd29178e0fad")
!23 = !DILocation(line: 6, scope: !21)
!24 = distinct !DISubprogram(name: "isblank", scope: !25, file: !25, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!25 = !DIFile(filename: "./src/ctype/isblank.c", directory: ".", checksumkind: CSK_MD5, checksum: "573dd1ef38593d9eed0532d242ca5329")
!26 = !DILocation(line: 5, scope: !24)
!27 = distinct !DISubprogram(name: "__isblank_l", scope: !25, file: !25, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!28 = !DILocation(line: 10, scope: !27)
!29 = distinct !DISubprogram(name: "iscntrl", scope: !30, file: !30, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!30 = !DIFile(filename: "./src/ctype/iscntrl.c", directory: ".", checksumkind: CSK_MD5, checksum: "66c43f235ee659c9ff2a3770fe44e328")
!31 = !DILocation(line: 5, scope: !29)
!32 = distinct !DISubprogram(name: "__iscntrl_l", scope: !30, file: !30, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!33 = !DILocation(line: 10, scope: !32)
!34 = distinct !DISubprogram(name: "isdigit", scope: !35, file: !35, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!35 = !DIFile(filename: "./src/ctype/isdigit.c", directory: ".", checksumkind: CSK_MD5, checksum: "1d7815b669a5f5595d0c8eb00f680d3a")
!36 = !DILocation(line: 6, scope: !34)
!37 = distinct !DISubprogram(name: "__isdigit_l", scope: !35, file: !35, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!38 = !DILocation(line: 11, scope: !37)
!39 = distinct !DISubprogram(name: "isgraph", scope: !40, file: !40, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!40 = !DIFile(filename: "./src/ctype/isgraph.c", directory: ".", checksumkind: CSK_MD5, checksum: "769558149a776615667ea5dfd4199cf8")
!41 = !DILocation(line: 6, scope: !39)
!42 = distinct !DISubprogram(name: "__isgraph_l", scope: !40, file: !40, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!43 = !DILocation(line: 11, scope: !42)
!44 = distinct !DISubprogram(name: "islower", scope: !45, file: !45, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!45 = !DIFile(filename: "./src/ctype/islower.c", directory: ".", checksumkind: CSK_MD5, checksum: "e5bf92c4e2a84908064d192470c61b40")
!46 = !DILocation(line: 6, scope: !44)
!47 = distinct !DISubprogram(name: "__islower_l", scope: !45, file: !45, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!48 = !DILocation(line: 11, scope: !47)
!49 = distinct !DISubprogram(name: "isprint", scope: !50, file: !50, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!50 = !DIFile(filename: "./src/ctype/isprint.c", directory: ".", checksumkind: CSK_MD5, checksum: "9c6ba50ed8f63628ed1d89e1e60bc0eb")
!51 = !DILocation(line: 6, scope: !49)
!52 = distinct !DISubprogram(name: "__isprint_l", scope: !50, file: !50, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!53 = !DILocation(line: 11, scope: !52)
!54 = distinct !DISubprogram(name: "ispunct", scope: !55, file: !55, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!55 = !DIFile(filename: "./src/ctype/ispunct.c", directory: ".", checksumkind: CSK_MD5, checksum: "56cb95934fc2e758c3951b2aeeb22c21")
!56 = !DILocation(line: 5, scope: !54)
!57 = !DILocation(line: 0, scope: !54)
!58 = distinct !DISubprogram(name: "__ispunct_l", scope: !55, file: !55, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!59 = !DILocation(line: 10, scope: !58)
!60 = distinct !DISubprogram(name: "isspace", scope: !61, file: !61, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!61 = !DIFile(filename: "./src/ctype/isspace.c", directory: ".", checksumkind: CSK_MD5, checksum: "4e3b33b23f851d6b90e0ae10b1be8ad4")
!62 = !DILocation(line: 6, scope: !60)
!63 = distinct !DISubprogram(name: "__isspace_l", scope: !61, file: !61, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!64 = !DILocation(line: 11, scope: !63)
!65 = distinct !DISubprogram(name: "isupper", scope: !66, file: !66, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!66 = !DIFile(filename: "./src/ctype/isupper.c", directory: ".", checksumkind: CSK_MD5, checksum: "716a1c9d7e6d2251c8e15edf3e9e9871")
!67 = !DILocation(line: 6, scope: !65)
!68 = distinct !DISubprogram(name: "__isupper_l", scope: !66, file: !66, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!69 = !DILocation(line: 11, scope: !68)
!70 = distinct !DISubprogram(name: "isxdigit", scope: !71, file: !71, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!71 = !DIFile(filename: "./src/ctype/isxdigit.c", directory: ".", checksumkind: CSK_MD5, checksum: "1c747011a51ef3d3e736db48716f6b09")
!72 = !DILocation(line: 5, scope: !70)
!73 = distinct !DISubprogram(name: "__isxdigit_l", scope: !71, file: !71, line: 8, type: !11, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!74 = !DILocation(line: 10, scope: !73)
!75 = distinct !DISubprogram(name: "toascii", scope: !76, file: !76, line: 4, type: !11, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!76 = !DIFile(filename: "./src/ctype/toascii.c", directory: ".", checksumkind: CSK_MD5, checksum: "fb2f87538ce2e270935548a786325a3a")
!77 = !DILocation(line: 6, scope: !75)
!78 = distinct !DISubprogram(name: "tolower", scope: !79, file: !79, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!79 = !DIFile(filename: "./src/ctype/tolower.c", directory: ".", checksumkind: CSK_MD5, checksum: "f385b6639cbf82806a1954624f1b7ce1")
!80 = !DILocation(line: 5, scope: !78)
!81 = !DILocation(line: 6, scope: !78)
!82 = !DILocation(line: 7, scope: !78)
!83 = distinct !DISubprogram(name: "__tolower_l", scope: !79, file: !79, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!84 = !DILocation(line: 11, scope: !83)
!85 = distinct !DISubprogram(name: "toupper", scope: !86, file: !86, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!86 = !DIFile(filename: "./src/ctype/toupper.c", directory: ".", checksumkind: CSK_MD5, checksum: "f7aaf37034a9527ed549fdd18a386d5b")
!87 = !DILocation(line: 5, scope: !85)
!88 = !DILocation(line: 6, scope: !85)
!89 = !DILocation(line: 7, scope: !85)
!90 = distinct !DISubprogram(name: "__toupper_l", scope: !86, file: !86, line: 9, type: !11, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!91 = !DILocation(line: 11, scope: !90)
